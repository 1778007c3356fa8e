/** Sign-in with a passkey (WebAuthn Level 3, section 7.2). */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../adapters.ts"
import type { Store } from "../../config/store.ts"
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { AuthenticationAnswer } from "../../providers/webauthn-types.ts"
import type { Proof } from "../proof.ts"
import type { Remembered } from "./challenges.ts"
import { bytesOf, toBase64Url } from "./encoding.ts"
import { refused } from "./refused.ts"
import { partyOf } from "./relying-party.ts"
import type { DeviceResponse } from "./response.ts"
import { serverOf } from "./server.ts"

type Asked = Extract<Remembered, { kind: "authenticate" }>

export async function proveAuthentication(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  store: Store,
  asked: Asked,
  answer: DeviceResponse<AuthenticationAnswer>,
): Promise<Proof> {
  const { passkey, account, user } = await ownerOf(answer.credentialId, provider, store)
  if (asked.owner !== null && asked.owner !== user.id) {
    throw refused(provider.id, { expected: "a passkey of the user who was asked for one" })
  }
  const counter = await verifiedCounter(exchange, provider, asked, answer, passkey)
  assertCounted(provider.id, passkey, counter)
  await store.updateAuthenticatorCounter(passkey.credentialID, counter)
  return {
    kind: "proven",
    identity: { user, account, emailStanding: "unsaid", stored: account },
    callbackUrl: undefined,
    link: undefined,
  }
}

/** A passkey, with the account and the user that it belongs to. */
interface Owned {
  readonly passkey: AdapterAuthenticator
  readonly account: AdapterAccount
  readonly user: AdapterUser
}

async function ownerOf(
  credentialId: string,
  provider: ResolvedWebAuthnProvider,
  store: Store,
): Promise<Owned> {
  const passkey = await store.getAuthenticator(credentialId)
  const account = passkey && (await store.getAccount(passkey.providerAccountId, provider.id))
  const user = account && (await store.getUser(account.userId))
  if (passkey && account && user && passkey.userId === user.id) return { passkey, account, user }
  throw refused(provider.id, {
    expected: "a passkey that is stored, with its account and user",
    hint: "It was removed here, or was made for another provider; the device still offers it.",
  })
}

async function verifiedCounter(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  asked: Asked,
  { challenge, response }: DeviceResponse<AuthenticationAnswer>,
  { credentialID, credentialPublicKey }: AdapterAuthenticator,
): Promise<number> {
  const party = await partyOf(exchange, provider)
  const server = await serverOf(provider)
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      ...provider.authenticationChecks,
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: asked.party,
      // The counter is compared afterwards: only a signed one says something about the passkey.
      credential: {
        id: toBase64Url(credentialID),
        publicKey: bytesOf(credentialPublicKey),
        counter: 0,
      },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (cause) {
    throw refused(provider.id, { expected: "an answer to the challenge that verifies", cause })
  }
  throw refused(provider.id, { expected: "a signature of the stored passkey" })
}

/** Step 22: two devices that count on their own are a passkey and its copy. Those that do not count give zero. */
function assertCounted(provider: string, stored: AdapterAuthenticator, counter: number): void {
  if ((counter === 0 && stored.counter === 0) || counter > stored.counter) return
  throw refused(provider, {
    expected: `a signature counter above ${stored.counter}, not ${counter}`,
    // A whole id would be taken for a secret by the log.
    hint:
      `The passkey of the user whose id begins with ${stored.userId.slice(0, 8)} may have been copied: ` +
      "ask them, and remove it.",
  })
}
