/** Lists and unlinks the accounts of stored users, and deletes users, for server code. */
import type { AdapterAccount, AdapterUser } from "../adapters.ts"
import { leaseMethods } from "../config/adapter-methods.ts"
import type { CoreServices, StoreServices } from "../config/core-services.ts"
import { reportSecurityEvent } from "../config/report-security-event.ts"
import { listAccounts, requireAdapterMethods, requireDatabase } from "../config/stored-accounts.ts"
import { openTokens } from "../crypto/token-sealer.ts"
import { LastAccount } from "../errors.ts"
import type { LinkedAccount, UnlinkInput } from "../latchkey-auth.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { AssertLeaseHeld } from "../provider-tokens/locked-task.ts"
import { recordManager } from "../sessions/lazy-records.ts"
import { assertFreshSessionOfUser } from "./fresh-session.ts"
import { runOneForUser } from "./one-at-a-time.ts"

const ownFactors = loadOnFirstCall(() => import("./own-factors.ts"))
const mail = loadOnFirstCall(() => import("../flows/email/security-mail.ts"))
const passkeyDetails = loadOnFirstCall(() => import("../flows/passkeys/passkey-details.ts"))

/** Returns the accounts of a user, without their tokens. */
export async function listLinkedAccounts(
  services: CoreServices,
  userId: string,
): Promise<LinkedAccount[]> {
  return (await listAccounts(requireDatabase(services), userId)).map(toLinkedAccount)
}

/** Leaves out the tokens, which a page could pass on to the browser. */
function toLinkedAccount(account: AdapterAccount): LinkedAccount {
  const { provider, providerAccountId, type } = account
  return { provider, providerAccountId, type }
}

/**
 * Unlinks an account, one at a time for each user, however many processes try: two requests together must not remove
 * the last two accounts. Returns the account; null if the user has no such account.
 *
 * @throws SessionNotFresh, LastAccount, LastFactor, MissingAdapterMethods, AdapterError; then the account is still linked
 */
export async function unlinkAccount(
  coreServices: CoreServices,
  input: UnlinkInput,
): Promise<LinkedAccount | null> {
  const services = requireDatabase(coreServices)
  assertFreshSessionOfUser(input)
  requireAdapterMethods(services, ["getUser", "listAccounts", "unlinkAccount", ...leaseMethods])
  const { emitEvent } = services
  const unlinked = await runOneForUser(services, input.userId, (assertHeld) =>
    removeAccount(services, input, assertHeld),
  )
  if (!unlinked) return null
  const { user } = unlinked
  // A handler may revoke the tokens at the provider.
  const { account } = await openTokens(unlinked.account, services.config.secrets)
  await emitEvent("unlinkAccount", { user, account }, undefined)
  const type = account.type === "webauthn" ? "passkey-removed" : "account-unlinked"
  const facts = { userId: String(user.id), provider: account.provider }
  await reportSecurityEvent(services, type, facts)
  if (services.config.secondFactor) await ownFactors.removeDependents(services, String(user.id))
  const provider = services.config.providers.get(account.provider)
  if (provider?.type === "webauthn" && !provider.isExperimental)
    await mail.sendNotice(services, user, "passkey-removed")
  return toLinkedAccount(account)
}

async function removeAccount(
  services: StoreServices,
  input: UnlinkInput,
  assertHeld: AssertLeaseHeld,
): Promise<{ user: AdapterUser; account: AdapterAccount } | null> {
  const { store } = services
  const { userId, provider, providerAccountId } = input
  const user = await store.getUser(userId)
  const accounts = await listAccounts(services, userId)
  const account = accounts.find(
    (each) =>
      each.provider === provider && String(each.providerAccountId) === String(providerAccountId),
  )
  if (!user || !account) return null
  const others = accounts.filter((each) => each !== account)
  if (!(await hasWayIn(services, user, others, input)))
    throw new LastAccount({
      expected: "another way to sign in",
      received: `none but the account of ${provider}`,
      provider,
    })
  if (services.config.secondFactor) await ownFactors.assertMayUnlinkFactor(services, input)
  const passkeys = account.type === "webauthn" ? await listPasskeys(services, account) : []
  if (passkeys.length > 0) requireAdapterMethods(services, ["deleteAuthenticator"])
  assertHeld()
  // First, because an account without its passkey cannot be used to sign in, and can be unlinked again.
  for (const { credentialID } of passkeys) {
    await store.deleteAuthenticator(credentialID)
    await passkeyDetails.deletePasskeyDetails(services, String(user.id), credentialID)
  }
  await store.unlinkAccount({ provider, providerAccountId })
  return { user, account }
}

/** Whether a user can sign in with one of these accounts, an e-mail link or credentials. */
async function hasWayIn(
  services: StoreServices,
  user: AdapterUser,
  accounts: readonly AdapterAccount[],
  { hasCredentials = false }: UnlinkInput,
): Promise<boolean> {
  const { providers } = services.config
  const types = new Set([...providers.values()].map(({ type }) => type))
  if (hasCredentials && types.has("credentials")) return true
  // An unverified address may be mistyped.
  if (types.has("email") && user.email && user.emailVerified) return true
  for (const account of accounts) {
    if (!providers.has(account.provider)) continue
    if (account.type !== "webauthn") return true
    if ((await listPasskeys(services, account)).length > 0) return true
  }
  return false
}

/** Returns the passkeys of an account, which has one unless storing or deleting it was interrupted. */
async function listPasskeys(
  { store }: StoreServices,
  { userId, providerAccountId }: AdapterAccount,
) {
  const passkeys = await store.listAuthenticatorsByUserId(userId)
  return passkeys.filter((passkey) => passkey.providerAccountId === providerAccountId)
}

/**
 * Deletes a user with everything that the database stores about them, and ends their recorded sessions. Returns the
 * user; null if there is none.
 *
 * @throws MissingAdapterMethods, AdapterError
 */
export async function deleteUser(
  coreServices: CoreServices,
  userId: string,
): Promise<AdapterUser | null> {
  const services = requireDatabase(coreServices)
  requireAdapterMethods(services, ["getUser", "deleteUser"])
  const { store, emitEvent, config, logger } = services
  const user = await store.getUser(userId)
  if (!user) return null
  const revoke = async () => {
    if (config.session.records) await recordManager.revokeUserSessions(services, String(user.id))
  }
  // First, because a deleted user is not found again if this fails.
  await revoke()
  // Our adapters return null if another request was first. Some others return nothing.
  if ((await store.deleteUser(userId)) === null) return null
  // Again, for sign-ins that have begun meanwhile and found the user.
  await revoke().catch((error: unknown) => logger.error(error))
  await emitEvent("deleteUser", { user }, undefined)
  await reportSecurityEvent(services, "user-deleted", { userId: String(user.id) })
  return user
}
