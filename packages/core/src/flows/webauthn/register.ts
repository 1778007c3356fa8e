/** A new passkey (WebAuthn Level 3, section 7.1). */
import type { Authenticator } from "../../adapters.ts"
import type { Store } from "../../config/store.ts"
import type { Exchange } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { RegistrationAnswer, WebAuthnCredential } from "../../providers/webauthn-types.ts"
import type { Proof } from "../proof.ts"
import { isUnaskedAttestation } from "./attestation.ts"
import type { Remembered } from "./challenges.ts"
import { base64Of, toBase64 } from "./encoding.ts"
import { refused } from "./refused.ts"
import { partyOf } from "./relying-party.ts"
import type { DeviceResponse } from "./response.ts"
import { serverOf } from "./server.ts"

type Asked = Extract<Remembered, { kind: "register" }>

export async function proveRegistration(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  store: Store,
  asked: Asked,
  answer: DeviceResponse<RegistrationAnswer>,
): Promise<Proof> {
  const passkey = await verifiedPasskey(exchange, provider, asked, answer)
  await assertNew(passkey, provider.id, store)
  const { providerAccountId } = passkey
  const account = { provider: provider.id, type: "webauthn", providerAccountId } as const
  const { id: _, ...person } = asked.user
  return {
    kind: "proven",
    identity: {
      user: { ...person, id: asked.link?.userId ?? crypto.randomUUID() },
      account,
      // It was typed by somebody who has proved nothing of it.
      emailStanding: "denied",
      stored: account,
      passkey,
    },
    callbackUrl: undefined,
    link: asked.link ?? undefined,
  }
}

async function verifiedPasskey(
  exchange: Exchange,
  provider: ResolvedWebAuthnProvider,
  asked: Asked,
  { challenge, response }: DeviceResponse<RegistrationAnswer>,
): Promise<Authenticator> {
  const { supportedAlgorithmIDs, attestationType = "none" } = provider.registration
  if (attestationType === "none" && !isUnaskedAttestation(response.response.attestationObject)) {
    throw refused(provider.id, { expected: "no attestation, because none was asked for" })
  }
  const party = await partyOf(exchange, provider)
  const server = await serverOf(provider)
  try {
    const { verified, registrationInfo } = await server.verifyRegistrationResponse({
      ...(supportedAlgorithmIDs ? { supportedAlgorithmIDs } : {}),
      ...provider.registrationChecks,
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: asked.party,
    })
    // What the device wrote may differ from what was sent beside it, which is bounded, and is where it is found again.
    const own = registrationInfo?.credential.id === response.id
    if (verified && registrationInfo && own) return stored(registrationInfo)
  } catch (cause) {
    throw refused(provider.id, { expected: "a new passkey that verifies", cause })
  }
  throw refused(provider.id, { expected: "an attestation that verifies" })
}

/** In the format of the contract, which other libraries' records have. */
function stored(info: {
  credential: WebAuthnCredential
  credentialDeviceType: string
  credentialBackedUp: boolean
}): Authenticator {
  const { id, publicKey, counter, transports } = info.credential
  const credentialID = toBase64(id)
  return {
    providerAccountId: credentialID,
    counter,
    credentialID,
    credentialPublicKey: base64Of(publicKey),
    credentialBackedUp: info.credentialBackedUp,
    credentialDeviceType: info.credentialDeviceType,
    transports: transportsIn(transports),
  }
}

/** What the device says of itself: names that browsers know, or nothing. */
function transportsIn(transports: unknown): string | null {
  const list: readonly unknown[] = Array.isArray(transports) ? transports : []
  const names = list.filter(
    (name): name is string => typeof name === "string" && /^[a-z-]{1,32}$/.test(name),
  )
  return names.length === 0 ? null : names.slice(0, 8).join(",")
}

/** Step 26: whoever learns the id of another's passkey could otherwise come in as them, with a key of their own. */
async function assertNew(
  { credentialID, providerAccountId }: Authenticator,
  provider: string,
  store: Store,
): Promise<void> {
  const known =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider))
  if (known) throw refused(provider, { expected: "a passkey that nobody has registered" })
}
