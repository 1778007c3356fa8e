/** Who has an account at the social provider, in the words of its profile. */
import { createHash } from "node:crypto"
import type { SocialIdpProfile } from "@latchkey/core/providers/socialidp"
import { handleOf, tidyName } from "../shared/names.ts"

/** What the provider knows of somebody; the rest depends on who asks. */
export type Person = Omit<SocialIdpProfile, "client_id" | "psuid">

export interface People {
  /** Those whom the authorization page offers. */
  readonly known: readonly Person[]
  find(id: string): Person | undefined
  /** The person of a typed name, the same for the same name; undefined when it is none. */
  named(typed: unknown): Person | undefined
}

/** Most people who typed a name that are remembered. */
const mostGuests = 1000

export function createPeople(): People {
  const known = [
    person("1001", "ada.grows", "Ada", "Lindqvist", "marigold"),
    person("1002", "jonah", "Jonah", "Reyes", "fern"),
    person("1003", "priya.n", "Priya", "Nair", "poppy"),
  ]
  const byId = new Map(known.map((each) => [each.id, each]))
  return {
    known,
    find: (id) => byId.get(id),
    named(typed) {
      const name = tidyName(typed)
      if (name === "") return undefined
      const same = known.find(({ display_name }) => display_name === name)
      if (same) return same
      const made = guest(name)
      if (!byId.has(made.id) && byId.size < mostGuests) byId.set(made.id, made)
      return byId.get(made.id)
    },
  }
}

function person(
  id: string,
  login: string,
  first_name: string,
  last_name: string,
  picture: string,
): Person {
  const email = `${login}@plaza.example`
  return {
    id,
    login,
    first_name,
    last_name,
    display_name: `${first_name} ${last_name}`,
    real_name: `${first_name} ${last_name}`,
    default_email: email,
    emails: [email],
    default_avatar_id: picture,
    is_avatar_empty: false,
    birthday: null,
    sex: null,
  }
}

function guest(name: string): Person {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10)
  const login = `${handleOf(name) || "guest"}.${digest.slice(0, 4)}`
  const email = `${login}@plaza.example`
  return {
    id: `g${digest}`,
    login,
    display_name: name,
    real_name: name,
    default_email: email,
    emails: [email],
    default_avatar_id: "0",
    is_avatar_empty: true,
  }
}
