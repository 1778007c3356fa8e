/** A person who was never here before. */
import type { AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import type { Identity } from "../proof.ts"
import { accountOf, announceLink, keepPasskey } from "./link.ts"

/** A user, and whether they are new. */
export interface Entered {
  readonly user: AdapterUser
  readonly isNewUser: boolean
}

/** Stores the user, with the account that they came with. */
export async function created(
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<Entered> {
  const { type, provider, providerAccountId } = identity.account
  const isEmail = type === "email"
  try {
    const person = newUser(identity, isEmail, config)
    const user = isEmail
      ? await store.createUser(person)
      : await signedUp(person, identity, store, config)
    await config.emit("createUser", { user })
    if (!isEmail) await announceLink(user, identity, config)
    return { user, isNewUser: true }
  } catch (error) {
    // A passkey is one person's: nobody else can have been faster with it.
    if (identity.passkey) throw error
    // Two first sign-ins at once: the other one created the user.
    const other = isEmail
      ? await store.getUserByEmail(providerAccountId)
      : await store.getUserByAccount({ provider, providerAccountId })
    if (!other) throw error
    return { user: isEmail ? await verified(other, store, config) : other, isNewUser: false }
  }
}

/** The date of the first proof stays. */
export async function verified(
  user: AdapterUser,
  store: Store,
  config: ResolvedConfig,
): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const updated = await store.updateUser({ id: user.id, emailVerified: new Date() })
  await config.emit("updateUser", { user: updated })
  return updated
}

/** An address that the provider denies is not kept where an address lets somebody in. */
function newUser(identity: Identity, isEmail: boolean, config: ResolvedConfig): AdapterUser {
  const { email, ...person } = identity.user
  const denied = config.addressesAreIdentities && identity.emailStanding === "denied"
  const address = email && !denied ? { email } : {}
  const user = { ...person, ...address, emailVerified: isEmail ? new Date() : null }
  // Without an address, the field is left out: what stands for "none" is the database's own affair.
  return user as AdapterUser
}

/** A user without an account could never sign in again: there are both, or neither. */
async function signedUp(
  person: AdapterUser,
  identity: Identity,
  store: Store,
  config: ResolvedConfig,
): Promise<AdapterUser> {
  const atOnce = config.can.createUserWithAccount
  const user = await (atOnce
    ? store.createUserWithAccount(person, accountOf(identity, person))
    : store.createUser(person))
  try {
    if (!atOnce) await store.linkAccount(accountOf(identity, user))
    await keepPasskey(user, identity, store)
    return user
  } catch (error) {
    if (config.can.deleteUser) await store.deleteUser(user.id).catch((e) => config.log.error(e))
    throw error
  }
}
