/** A new passkey (WebAuthn Level 3, section 7.1). */
import type { Authenticator } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type {
  RegistrationResponseJSON,
  WebAuthnCredential,
} from "../../providers/webauthn-types.ts"
import type { FlowResult } from "../flow-result.ts"
import { isAllowedAttestationFormat } from "./attestation.ts"
import { base64UrlToBase64, encodeBase64 } from "./base64.ts"
import type { PendingCeremony } from "./challenge-store.ts"
import type { ParsedCredential } from "./parse-credential.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"
import { createVerificationError } from "./verification-error.ts"

type RegistrationCeremony = Extract<PendingCeremony, { kind: "register" }>

export async function completeRegistration(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  store: AdapterStore,
  ceremony: RegistrationCeremony,
  credential: ParsedCredential<RegistrationResponseJSON>,
): Promise<FlowResult> {
  const passkey = await verifyAttestation(request, provider, ceremony, credential)
  await assertNewPasskey(passkey, provider.id, store)
  const { providerAccountId } = passkey
  const account = { provider: provider.id, type: "webauthn", providerAccountId } as const
  const { id: _, ...userFields } = ceremony.user
  return {
    kind: "completed",
    identity: {
      user: { ...userFields, id: ceremony.linkRequest?.userId ?? crypto.randomUUID() },
      account,
      // It was typed by somebody who has proved nothing of it.
      emailVerification: "unverified",
      storedAccount: account,
      newPasskey: passkey,
    },
    callbackUrl: undefined,
    linkRequest: ceremony.linkRequest ?? undefined,
  }
}

async function verifyAttestation(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  ceremony: RegistrationCeremony,
  { challenge, response }: ParsedCredential<RegistrationResponseJSON>,
): Promise<Authenticator> {
  const { supportedAlgorithmIDs, attestationType = "none" } = provider.registration
  if (
    attestationType === "none" &&
    !isAllowedAttestationFormat(response.response.attestationObject)
  ) {
    throw createVerificationError(provider.id, {
      expected: "no attestation, because none was asked for",
    })
  }
  const relyingParty = await selectRelyingParty(request, provider)
  const server = await loadWebAuthnServer(provider)
  try {
    const { verified, registrationInfo } = await server.verifyRegistrationResponse({
      ...(supportedAlgorithmIDs ? { supportedAlgorithmIDs } : {}),
      ...provider.registrationChecks,
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: ceremony.rpId,
    })
    // What the device wrote may differ from what was sent beside it, which is bounded, and is where it is found again.
    const isSameCredential = registrationInfo?.credential.id === response.id
    if (verified && registrationInfo && isSameCredential) return toAuthenticator(registrationInfo)
  } catch (cause) {
    throw createVerificationError(provider.id, { expected: "a new passkey that verifies", cause })
  }
  throw createVerificationError(provider.id, { expected: "an attestation that verifies" })
}

/** In the format of the contract, which other libraries' records have. */
function toAuthenticator(info: {
  credential: WebAuthnCredential
  credentialDeviceType: string
  credentialBackedUp: boolean
}): Authenticator {
  const { id, publicKey, counter, transports } = info.credential
  const credentialID = base64UrlToBase64(id)
  return {
    providerAccountId: credentialID,
    counter,
    credentialID,
    credentialPublicKey: encodeBase64(publicKey),
    credentialBackedUp: info.credentialBackedUp,
    credentialDeviceType: info.credentialDeviceType,
    transports: parseTransports(transports),
  }
}

/** What the device says of itself: names that browsers know, or nothing. */
function parseTransports(transports: unknown): string | null {
  const list: readonly unknown[] = Array.isArray(transports) ? transports : []
  const names = list.filter(
    (name): name is string => typeof name === "string" && /^[a-z-]{1,32}$/.test(name),
  )
  return names.length === 0 ? null : names.slice(0, 8).join(",")
}

/** Step 26: whoever learns the id of another's passkey could otherwise come in as them, with a key of their own. */
async function assertNewPasskey(
  { credentialID, providerAccountId }: Authenticator,
  provider: string,
  store: AdapterStore,
): Promise<void> {
  const existing =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider))
  if (existing)
    throw createVerificationError(provider, { expected: "a passkey that nobody has registered" })
}
