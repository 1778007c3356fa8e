/** Registration of a new passkey (WebAuthn Level 3, section 7.1). */
import type { Authenticator } from "../../adapters.ts"
import type { AdapterStore } from "../../config/adapter-store.ts"
import { WebAuthnVerificationError } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { RegistrationResponseJSON, WebAuthnServer } from "../../providers/webauthn-types.ts"
import type { FlowResult } from "../flow-result.ts"
import { isAllowedAttestationFormat } from "./attestation.ts"
import { base64UrlToBase64, encodeBase64 } from "./base64.ts"
import type { RegistrationCeremony } from "./challenge-store.ts"
import type { ParsedCredential } from "./parse-credential.ts"
import { selectRelyingParty } from "./relying-party.ts"
import { loadWebAuthnServer } from "./simplewebauthn.ts"

export async function completeRegistration(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  store: AdapterStore,
  ceremony: RegistrationCeremony,
  credential: ParsedCredential<RegistrationResponseJSON>,
): Promise<FlowResult> {
  const { user, linkRequest } = ceremony
  const newPasskey = await verifyAttestation(request, provider, ceremony, credential)
  const { credentialID, providerAccountId } = newPasskey
  // Step 26: otherwise a known credential id with another key would sign in as its owner.
  const existing =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider.id))
  if (existing) {
    const expected = "a passkey that is not registered yet"
    throw new WebAuthnVerificationError({ provider: provider.id, expected })
  }
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

async function verifyAttestation(
  request: ActionRequest,
  provider: ResolvedWebAuthnProvider,
  ceremony: RegistrationCeremony,
  { challenge, response }: ParsedCredential<RegistrationResponseJSON>,
): Promise<Authenticator> {
  const { supportedAlgorithmIDs, attestationType = "none" } = provider.registration
  const { attestationObject } = response.response
  const createError = (expected: string, cause?: unknown) =>
    new WebAuthnVerificationError({ provider: provider.id, expected, cause })
  if (attestationType === "none" && !isAllowedAttestationFormat(attestationObject)) {
    throw createError("no attestation, because none was requested")
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
    // The id inside the attestation may differ from the one in the request, whose length is limited and by which the
    // passkey is found later.
    const isSameCredential = registrationInfo?.credential.id === response.id
    if (verified && registrationInfo && isSameCredential) return toAuthenticator(registrationInfo)
  } catch (cause) {
    throw createError("a valid new passkey", cause)
  }
  throw createError("a valid attestation")
}

type RegistrationInfo = NonNullable<
  Awaited<ReturnType<WebAuthnServer["verifyRegistrationResponse"]>>["registrationInfo"]
>

/** Converts a passkey to the format of Auth.js, which other libraries' records have, too. */
function toAuthenticator(info: RegistrationInfo): Authenticator {
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

/** Returns the transports that a device reports, as far as they look like names. */
function parseTransports(transports: unknown): string | null {
  const list: readonly unknown[] = Array.isArray(transports) ? transports : []
  const names = list.filter((name) => typeof name === "string" && /^[a-z-]{1,32}$/.test(name))
  return names.length === 0 ? null : names.slice(0, 8).join(",")
}
