/** The users of the tenant provider: three listed ones, and anyone who types a name. */
import { createHash } from "node:crypto"
import { normalizeName, toHandle } from "../shared/names.ts"

/** A user and their claims (OpenID Connect Core 5.1). */
export interface TenantUser {
  readonly sub: string
  readonly name: string
  readonly email: string
  /** Shown on the sign-in page. */
  readonly role: string
}

export interface TenantUserStore {
  /** The users on the sign-in page. */
  readonly listed: readonly TenantUser[]
  find(sub: string): TenantUser | undefined
  /** Returns the user with a name, always the same for that name; undefined if it is empty. */
  findOrCreateByName(typed: unknown): TenantUser | undefined
}

const domain = "riverside.example"

/** Users that are stored. */
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

/** Returns a handle for names without Latin letters. */
function createGuestHandle(name: string): string {
  return `guest.${createHash("sha256").update(name).digest("hex").slice(0, 8)}`
}
