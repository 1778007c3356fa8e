/** Who has an account at the tenant provider: three people, and everybody who types a name. */
import { createHash } from "node:crypto"
import { normalizeName, toHandle } from "../shared/names.ts"

/** Somebody with an account, and the claims about them (OpenID Connect Core 5.1). */
export interface TenantUser {
  readonly sub: string
  readonly name: string
  readonly email: string
  /** What they do, as their tenant knows them. */
  readonly role: string
}

export interface TenantUserStore {
  /** Those whom the sign-in page offers. */
  readonly listed: readonly TenantUser[]
  find(sub: string): TenantUser | undefined
  /** The person of a typed name, the same for the same name; undefined when it is none. */
  findOrCreateByName(typed: unknown): TenantUser | undefined
}

const domain = "riverside.example"

/** Most people who typed a name that are remembered. */
const maxGuests = 1000

export function createUserStore(): TenantUserStore {
  const listed = [
    createUser("ada", "Ada Lindqvist", "Plot 4, since 2019"),
    createUser("tomas", "Tomás Okafor", "Plot 11, keeps the bees"),
    createUser("mei", "Mei Tanaka", "Plot 7, seed librarian"),
  ]
  const bySub = new Map(listed.map((each) => [each.sub, each]))
  return {
    listed,
    find: (sub) => bySub.get(sub),
    findOrCreateByName(typed) {
      const name = normalizeName(typed)
      if (name === "") return undefined
      const guest = createUser(toHandle(name) || createGuestHandle(name), name, "Visitor")
      const existing = listed.find((each) => each.email === guest.email) ?? bySub.get(guest.sub)
      if (existing) return existing
      if (bySub.size < maxGuests) bySub.set(guest.sub, guest)
      return bySub.get(guest.sub)
    },
  }
}

function createUser(handle: string, name: string, role: string): TenantUser {
  return { sub: handle, name, email: `${handle}@${domain}`, role }
}

/** A handle for a name of which no letter can be in one. */
function createGuestHandle(name: string): string {
  return `guest.${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}
