/** Sign-in with a passkey (WebAuthn Level 3, section 7.2). */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import { decodeBase64Url } from "../../runtime/base64url.ts"
import type { CompletedFlow } from "../flow.ts"
import type { AuthenticationCeremony } from "./challenge-store.ts"
import { base64ToBase64Url, base64UrlToBase64, type CeremonyResponse } from "./credential.ts"
import { loadWebAuthnServer } from "./load-server.ts"
import { isForeignUserHandle } from "./user-handle.ts"
import { createVerificationError, type WebAuthnFlowContext } from "./webauthn-context.ts"

/** Types of passkeys: without and with the backup-eligible flag (section 6.1.3). */
const deviceTypes: ReadonlySet<unknown> = new Set(["singleDevice", "multiDevice"])

export async function completeAuthentication(
  context: WebAuthnFlowContext,
  { userId, rpId }: AuthenticationCeremony,
  expectedResponse: CeremonyResponse,
): Promise<CompletedFlow> {
  const { provider } = context
  const { id, response } = expectedResponse.response
  const { store } = requireDatabase(context)
  const passkey = await store.getAuthenticator(base64UrlToBase64(id))
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider.id))
  const user = account && (await store.getUser(account.userId))
  if (!passkey || !account || !user || passkey.userId !== user.id) {
    const expected = "a passkey that is stored with its account and user"
    const hint =
      "It was deleted here or belongs to another provider, but the device still offers it."
    // The browser may forget a passkey that is not stored (section 5.1.10.2).
    const isUnknown = !passkey && !provider.isExperimental
    const details = { hint, ...(isUnknown && { unknownPasskey: { rpId, id } }) }
    throw createVerificationError(provider, expected, details)
  }
  if (userId !== null && userId !== user.id)
    throw createVerificationError(provider, "a passkey of the user whose passkeys were requested")
  // Step 6: the handle names the user, too. Devices do not sign it, so that it proves nothing else.
  if (await isForeignUserHandle(response.userHandle, String(user.id)))
    throw createVerificationError(provider, "a user handle of the passkey's user")
  const assertion = await verifyAssertion(provider, expectedResponse, passkey)
  const { newCounter: counter, credentialDeviceType, credentialBackedUp: isBackedUp } = assertion
  // Step 19: a passkey is eligible for backups from its creation on, or never. Imported records may lack the type.
  const storedType = passkey.credentialDeviceType
  if (deviceTypes.has(storedType) && credentialDeviceType !== storedType) {
    const expected = `a passkey with the stored type ${storedType}, not ${credentialDeviceType}`
    throw createVerificationError(provider, expected, { hint: describeCopy(user.id) })
  }
  // Step 22: a copied passkey counts separately from the original. Devices that do not count send zero.
  const isCounted = counter !== 0 || passkey.counter !== 0
  const minimum = isCounted ? await storeCounter(store, passkey, counter) : undefined
  if (minimum !== undefined) {
    const expected = `a signature counter above ${minimum}, not ${counter}`
    throw createVerificationError(provider, expected, { hint: describeCopy(user.id) })
  }
  return {
    kind: "completed",
    identity: {
      user,
      account,
      emailVerification: "unknown",
      storedAccount: account,
      passkey: { credentialID: passkey.credentialID, isBackedUp },
    },
  }
}

/**
 * Stores the counter of a sign-in. Returns the stored one if that is not lower, perhaps of a concurrent sign-in.
 *
 * Adapters of Auth.js overwrite a higher counter. It is therefore read just before, and stored again if a concurrent
 * sign-in has lowered it.
 */
async function storeCounter(
  store: AdapterStore,
  { credentialID, counter: known }: AdapterAuthenticator,
  counter: number,
): Promise<number | undefined> {
  const readCounter = async () => (await store.getAuthenticator(credentialID))?.counter ?? known
  const before = Math.max(known, await readCounter())
  if (before >= counter) return before
  await store.updateAuthenticatorCounter(credentialID, counter)
  const after = await readCounter()
  if (after < counter) await store.updateAuthenticatorCounter(credentialID, counter)
  return after > counter ? after : undefined
}

/** The log would redact a whole id as a secret. */
const describeCopy = (userId: string) =>
  `The passkey of the user whose id begins with ${userId.slice(0, 8)} may have been copied: ` +
  "ask the user, and delete it."

/** Verifies the signature, and returns what the device signed. */
async function verifyAssertion(
  provider: ResolvedWebAuthnProvider,
  expectedResponse: CeremonyResponse,
  { credentialID, credentialPublicKey }: AdapterAuthenticator,
) {
  const server = await loadWebAuthnServer(provider)
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      ...provider.authenticationChecks,
      ...expectedResponse,
      credential: {
        id: base64ToBase64Url(credentialID),
        publicKey: decodeBase64Url(credentialPublicKey),
        counter: 0, // compared above, once the signature is verified
      },
    })
    if (verified) return authenticationInfo
  } catch (cause) {
    throw createVerificationError(provider, "a valid response to the challenge", { cause })
  }
  throw createVerificationError(provider, "a signature of the stored passkey")
}
