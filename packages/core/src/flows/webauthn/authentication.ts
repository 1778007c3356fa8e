/** Sign-in with a passkey (WebAuthn Level 3, section 7.2). */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { AuthenticationResponseJSON } from "../../providers/webauthn-types.ts"
import type { FlowResult } from "../flow-result.ts"
import { base64ToBase64Url, decodeBase64 } from "./base64.ts"
import type { PendingCeremony } from "./challenge-store.ts"
import type { ParsedCredential } from "./parse-credential.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"
import { createVerificationError } from "./verification-error.ts"

type AuthenticationCeremony = Extract<PendingCeremony, { kind: "authenticate" }>

export async function completeAuthentication(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  store: AdapterStore,
  ceremony: AuthenticationCeremony,
  credential: ParsedCredential<AuthenticationResponseJSON>,
): Promise<FlowResult> {
  const { passkey, account, user } = await findPasskeyOwner(
    credential.credentialId,
    provider,
    store,
  )
  if (ceremony.userId !== null && ceremony.userId !== user.id) {
    throw createVerificationError(provider.id, {
      expected: "a passkey of the user who was asked for one",
    })
  }
  const counter = await verifyAssertion(request, provider, ceremony, credential, passkey)
  assertCounterIncreased(provider.id, passkey, counter)
  await store.updateAuthenticatorCounter(passkey.credentialID, counter)
  return {
    kind: "completed",
    identity: { user, account, emailVerification: "unknown", storedAccount: account },
    callbackUrl: undefined,
    linkRequest: undefined,
  }
}

/** A passkey, with the account and the user that it belongs to. */
interface OwnedPasskey {
  readonly passkey: AdapterAuthenticator
  readonly account: AdapterAccount
  readonly user: AdapterUser
}

async function findPasskeyOwner(
  credentialId: string,
  provider: ResolvedWebAuthnProvider,
  store: AdapterStore,
): Promise<OwnedPasskey> {
  const passkey = await store.getAuthenticator(credentialId)
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider.id))
  const user = account && (await store.getUser(account.userId))
  if (passkey && account && user && passkey.userId === user.id) return { passkey, account, user }
  throw createVerificationError(provider.id, {
    expected: "a passkey that is stored, with its account and user",
    hint: "It was removed here, or was made for another provider; the device still offers it.",
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
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      ...provider.authenticationChecks,
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: ceremony.rpId,
      // The counter is compared afterwards: only a signed one says something about the passkey.
      credential: {
        id: base64ToBase64Url(credentialID),
        publicKey: decodeBase64(credentialPublicKey),
        counter: 0,
      },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (cause) {
    throw createVerificationError(provider.id, {
      expected: "an answer to the challenge that verifies",
      cause,
    })
  }
  throw createVerificationError(provider.id, { expected: "a signature of the stored passkey" })
}

/** Step 22: two devices that count on their own are a passkey and its copy. Those that do not count give zero. */
function assertCounterIncreased(
  provider: string,
  storedPasskey: AdapterAuthenticator,
  counter: number,
): void {
  if ((counter === 0 && storedPasskey.counter === 0) || counter > storedPasskey.counter) return
  throw createVerificationError(provider, {
    expected: `a signature counter above ${storedPasskey.counter}, not ${counter}`,
    // A whole id would be taken for a secret by the log.
    hint:
      `The passkey of the user whose id begins with ${storedPasskey.userId.slice(0, 8)} may have been copied: ` +
      "ask them, and remove it.",
  })
}
