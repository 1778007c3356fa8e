/** Registration of a new passkey (WebAuthn Level 3, section 7.1). */
import type { Authenticator } from "../../adapters.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"
import type { CompletedFlow } from "../flow.ts"
import { isAllowedAttestationFormat } from "./attestation.ts"
import { base64UrlToBase64, encodeBase64 } from "./base64.ts"
import type { RegistrationCeremony } from "./challenge-store.ts"
import { type CeremonyResponse, createVerificationError } from "./webauthn-context.ts"

export async function completeRegistration(
  { user, linkRequest }: RegistrationCeremony,
  response: CeremonyResponse,
): Promise<CompletedFlow> {
  const { provider, store } = response
  const newPasskey = await verifyAttestation(response)
  const { credentialID, providerAccountId } = newPasskey
  // Step 26: otherwise a known credential id with another key would sign in as its owner.
  const existing =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider.id))
  if (existing) throw createVerificationError(provider, "a passkey that is not registered yet")
  const account = { provider: provider.id, type: "webauthn", providerAccountId } as const
  return {
    kind: "completed",
    identity: {
      user: { ...user, id: linkRequest?.userId ?? crypto.randomUUID() },
      account,
      emailVerification: "unverified", // the user typed the address and proved nothing about it
      storedAccount: account,
      newPasskey,
    },
    linkRequest: linkRequest ?? undefined,
  }
}

async function verifyAttestation({
  provider,
  server,
  credential: { response },
  expected,
}: CeremonyResponse): Promise<Authenticator> {
  const { supportedAlgorithmIDs, attestationType = "none" } = provider.registration
  const { attestationObject } = response.response
  if (attestationType === "none" && !isAllowedAttestationFormat(attestationObject))
    throw createVerificationError(provider, "no attestation, because none was requested")
  try {
    const { verified, registrationInfo } = await server.verifyRegistrationResponse({
      ...(supportedAlgorithmIDs ? { supportedAlgorithmIDs } : {}),
      ...provider.registrationChecks,
      ...expected,
      response,
    })
    // The id inside the attestation may differ from the one in the request, whose length is limited and by which the
    // passkey is found later.
    const isSameCredential = registrationInfo?.credential.id === response.id
    if (verified && registrationInfo && isSameCredential) return toAuthenticator(registrationInfo)
  } catch (cause) {
    throw createVerificationError(provider, "a valid new passkey", { cause })
  }
  throw createVerificationError(provider, "a valid attestation")
}

type RegistrationInfo = NonNullable<
  Awaited<ReturnType<WebAuthnServer["verifyRegistrationResponse"]>>["registrationInfo"]
>

/** Converts a passkey to the format of Auth.js, which other libraries' records have, too. */
function toAuthenticator(info: RegistrationInfo): Authenticator {
  const { credential, credentialBackedUp, credentialDeviceType } = info
  const credentialID = base64UrlToBase64(credential.id)
  return {
    providerAccountId: credentialID,
    counter: credential.counter,
    credentialID,
    credentialPublicKey: encodeBase64(credential.publicKey),
    credentialBackedUp,
    credentialDeviceType,
    transports: parseTransports(credential.transports),
  }
}

/** Returns the transports that a device reports, as far as they look like names. */
function parseTransports(transports: unknown): string | null {
  const list: readonly unknown[] = Array.isArray(transports) ? transports : []
  const names = list.filter((name) => typeof name === "string" && /^[a-z-]{1,32}$/.test(name))
  return names.length === 0 ? null : names.slice(0, 8).join(",")
}
