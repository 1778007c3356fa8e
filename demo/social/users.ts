/** The users of the social provider, in the format of its profile. */
import { createHash } from "node:crypto"
import type { SocialIdpProfile } from "@latchkey/core/providers/socialidp"
import { normalizeName, toHandle } from "../shared/names.ts"

/** The part of a profile that does not depend on the client. */
export type SocialUser = Omit<SocialIdpProfile, "client_id" | "psuid">

export interface SocialUserStore {
  /** The users on the authorization page. */
  readonly listed: readonly SocialUser[]
  find(id: string): SocialUser | undefined
  /** Returns the user with a name, always the same for that name; undefined if it is empty. */
  findOrCreateByName(typed: unknown): SocialUser | undefined
}

/** Users that are stored. */
const maxGuests = 1000

export function createUserStore(): SocialUserStore {
  const listed = [
    createUser("1001", "ada.grows", "Ada", "Lindqvist", "marigold"),
    createUser("1002", "jonah", "Jonah", "Reyes", "fern"),
    createUser("1003", "priya.n", "Priya", "Nair", "poppy"),
  ]
  const byId = new Map(listed.map((each) => [each.id, each]))
  return {
    listed,
    find: (id) => byId.get(id),
    findOrCreateByName(typed) {
      const name = normalizeName(typed)
      if (name === "") return undefined
      const existing = listed.find(({ display_name }) => display_name === name)
      if (existing) return existing
      const newGuest = createGuest(name)
      if (!byId.has(newGuest.id) && byId.size < maxGuests) byId.set(newGuest.id, newGuest)
      return byId.get(newGuest.id)
    },
  }
}

function createUser(
  id: string,
  login: string,
  first_name: string,
  last_name: string,
  picture: string,
): SocialUser {
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

function createGuest(name: string): SocialUser {
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10)
  const login = `${toHandle(name) || "guest"}.${digest.slice(0, 4)}`
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
