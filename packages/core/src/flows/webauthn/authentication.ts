/** Sign-in with a passkey (WebAuthn Level 3, section 7.2). */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import { WebAuthnVerificationError } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { AuthenticationResponseJSON } from "../../providers/webauthn-types.ts"
import type { FlowResult } from "../flow-result.ts"
import { base64ToBase64Url, decodeBase64 } from "./base64.ts"
import type { AuthenticationCeremony } from "./challenge-store.ts"
import type { ParsedCredential } from "./parse-credential.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"

export async function completeAuthentication(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  store: AdapterStore,
  ceremony: AuthenticationCeremony,
  credential: ParsedCredential<AuthenticationResponseJSON>,
): Promise<FlowResult> {
  const owned = await findPasskeyOwner(credential.credentialId, provider.id, store)
  const { passkey, account, user } = owned
  if (ceremony.userId !== null && ceremony.userId !== user.id) {
    const expected = "a passkey of the user whose passkeys were requested"
    throw new WebAuthnVerificationError({ provider: provider.id, expected })
  }
  const counter = await verifyAssertion(request, provider, ceremony, credential, passkey)
  assertCounterIncreased(provider.id, passkey, counter)
  await store.updateAuthenticatorCounter(passkey.credentialID, counter)
  return {
    kind: "completed",
    identity: { user, account, emailVerification: "unknown", storedAccount: account },
  }
}

interface OwnedPasskey {
  readonly passkey: AdapterAuthenticator
  readonly account: AdapterAccount
  readonly user: AdapterUser
}

async function findPasskeyOwner(
  credentialId: string,
  provider: string,
  store: AdapterStore,
): Promise<OwnedPasskey> {
  const passkey = await store.getAuthenticator(credentialId)
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider))
  const user = account && (await store.getUser(account.userId))
  if (passkey && account && user && passkey.userId === user.id) return { passkey, account, user }
  throw new WebAuthnVerificationError({
    provider,
    expected: "a passkey that is stored with its account and user",
    hint: "It was deleted here or belongs to another provider, but the device still offers it.",
  })
}

async function verifyAssertion(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  ceremony: AuthenticationCeremony,
  { challenge, response }: ParsedCredential<AuthenticationResponseJSON>,
  { credentialID, credentialPublicKey }: AdapterAuthenticator,
): Promise<number> {
  const relyingParty = await selectRelyingParty(request, provider)
  const server = await loadWebAuthnServer(provider)
  const createError = (expected: string, cause?: unknown) =>
    new WebAuthnVerificationError({ provider: provider.id, expected, cause })
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      ...provider.authenticationChecks,
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: ceremony.rpId,
      credential: {
        id: base64ToBase64Url(credentialID),
        publicKey: decodeBase64(credentialPublicKey),
        counter: 0, // `assertCounterIncreased` compares it once the signature is verified
      },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (cause) {
    throw createError("a valid response to the challenge", cause)
  }
  throw createError("a signature of the stored passkey")
}

/** Step 22: a copied passkey counts separately from the original. Devices that do not count send zero. */
function assertCounterIncreased(
  provider: string,
  { counter: storedCounter, userId }: AdapterAuthenticator,
  counter: number,
): void {
  if ((counter === 0 && storedCounter === 0) || counter > storedCounter) return
  throw new WebAuthnVerificationError({
    provider,
    expected: `a signature counter above ${storedCounter}, not ${counter}`,
    // The log would redact a whole id as a secret.
    hint:
      `The passkey of the user whose id begins with ${userId.slice(0, 8)} may have been copied: ` +
      "ask the user, and delete it.",
  })
}
