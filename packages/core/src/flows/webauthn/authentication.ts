/** Sign-in with a passkey (WebAuthn Level 3, section 7.2). */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { FlowResult } from "../flow-result.ts"
import { base64ToBase64Url, decodeBase64 } from "./base64.ts"
import type { AuthenticationCeremony } from "./challenge-store.ts"
import { type CeremonyResponse, createVerificationError } from "./webauthn-context.ts"

export async function completeAuthentication(
  { userId }: AuthenticationCeremony,
  response: CeremonyResponse,
): Promise<FlowResult> {
  const { provider, store, credential } = response
  const passkey = await store.getAuthenticator(credential.credentialId)
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider.id))
  const user = account && (await store.getUser(account.userId))
  if (!passkey || !account || !user || passkey.userId !== user.id) {
    const expected = "a passkey that is stored with its account and user"
    const hint =
      "It was deleted here or belongs to another provider, but the device still offers it."
    throw createVerificationError(provider, expected, { hint })
  }
  if (userId !== null && userId !== user.id) {
    const expected = "a passkey of the user whose passkeys were requested"
    throw createVerificationError(provider, expected)
  }
  const counter = await verifyAssertion(response, passkey)
  // Step 22: a copied passkey counts separately from the original. Devices that do not count send zero.
  const isCounterValid = counter > passkey.counter || (counter === 0 && passkey.counter === 0)
  if (!isCounterValid) {
    const expected = `a signature counter above ${passkey.counter}, not ${counter}`
    // The log would redact a whole id as a secret.
    const hint =
      `The passkey of the user whose id begins with ${user.id.slice(0, 8)} may have been copied: ` +
      "ask the user, and delete it."
    throw createVerificationError(provider, expected, { hint })
  }
  await store.updateAuthenticatorCounter(passkey.credentialID, counter)
  return {
    kind: "completed",
    identity: { user, account, emailVerification: "unknown", storedAccount: account },
  }
}

/** Verifies the signature and returns the signature counter. */
async function verifyAssertion(
  { provider, server, credential, expected }: CeremonyResponse,
  { credentialID, credentialPublicKey }: AdapterAuthenticator,
): Promise<number> {
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      ...provider.authenticationChecks,
      ...expected,
      response: credential.response,
      credential: {
        id: base64ToBase64Url(credentialID),
        publicKey: decodeBase64(credentialPublicKey),
        counter: 0, // compared above, once the signature is verified
      },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (cause) {
    throw createVerificationError(provider, "a valid response to the challenge", { cause })
  }
  throw createVerificationError(provider, "a signature of the stored passkey")
}
