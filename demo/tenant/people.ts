/** Who has an account at the tenant provider: three people, and everybody who types a name. */
import { createHash } from "node:crypto"
import { handleOf, tidyName } from "../shared/names.ts"

/** Somebody with an account, and the claims about them (OpenID Connect Core 5.1). */
export interface Person {
  readonly sub: string
  readonly name: string
  readonly email: string
  /** What they do, as their tenant knows them. */
  readonly role: string
}

export interface People {
  /** Those whom the sign-in page offers. */
  readonly known: readonly Person[]
  find(sub: string): Person | undefined
  /** The person of a typed name, the same for the same name; undefined when it is none. */
  named(typed: unknown): Person | undefined
}

const domain = "riverside.example"

/** Most people who typed a name that are remembered. */
const mostGuests = 1000

export function createPeople(): People {
  const known = [
    person("ada", "Ada Lindqvist", "Plot 4, since 2019"),
    person("tomas", "Tomás Okafor", "Plot 11, keeps the bees"),
    person("mei", "Mei Tanaka", "Plot 7, seed librarian"),
  ]
  const bySub = new Map(known.map((each) => [each.sub, each]))
  return {
    known,
    find: (sub) => bySub.get(sub),
    named(typed) {
      const name = tidyName(typed)
      if (name === "") return undefined
      const guest = person(handleOf(name) || nameless(name), name, "Visitor")
      const same = known.find((each) => each.email === guest.email) ?? bySub.get(guest.sub)
      if (same) return same
      if (bySub.size < mostGuests) bySub.set(guest.sub, guest)
      return bySub.get(guest.sub)
    },
  }
}

function person(handle: string, name: string, role: string): Person {
  return { sub: handle, name, email: `${handle}@${domain}`, role }
}

/** A handle for a name of which no letter can be in one. */
function nameless(name: string): string {
  return `guest.${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}
