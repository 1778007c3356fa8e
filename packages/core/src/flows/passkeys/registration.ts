/** Registration of a new passkey (WebAuthn Level 3, section 7.1), and which attestation it may carry (section 6.5). */
import type { Authenticator } from "../../adapters.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import { decodeBase64Url, encodeBase64Url } from "../../runtime/base64url.ts"
import type { CompletedFlow } from "../flow.ts"
import type { RegistrationCeremony } from "./challenge-store.ts"
import { base64UrlToBase64, type CeremonyResponse, isBase64Url } from "./credential.ts"
import { loadWebAuthnServer } from "./load-server.ts"
import { createVerificationError, type WebAuthnFlowContext } from "./webauthn-context.ts"

export async function completeRegistration(
  context: WebAuthnFlowContext,
  { user, linkRequest, isAutomatic }: RegistrationCeremony,
  expectedResponse: CeremonyResponse,
): Promise<CompletedFlow> {
  const { provider } = context
  // Step 15: nobody has confirmed a passkey that the browser has created without asking.
  const automaticChecks = { requireUserPresence: false, requireUserVerification: false }
  const checks = isAutomatic ? automaticChecks : provider.registrationChecks
  const { newPasskey, aaguid } = await verifyAttestation(provider, expectedResponse, checks)
  const { credentialID, providerAccountId } = newPasskey
  const { store } = requireDatabase(context)
  // Step 26: otherwise a known credential id with another key would sign in as its owner.
  const existing =
    (await store.getAuthenticator(credentialID)) ??
    (await store.getAccount(providerAccountId, provider.id))
  if (existing) throw createVerificationError(provider, "a passkey that is not registered yet")
  const account = { provider: provider.id, type: "webauthn", providerAccountId } as const
  return {
    kind: "completed",
    identity: {
      user,
      account,
      emailVerification: "unverified", // the user typed the address and proved nothing about it
      storedAccount: account,
      newPasskey,
      passkey: { credentialID, isBackedUp: newPasskey.credentialBackedUp, aaguid },
    },
    linkRequest: linkRequest ?? undefined,
  }
}

/** Verifies a new passkey, and returns it in the format of Auth.js, which other libraries' records have, too. */
async function verifyAttestation(
  provider: ResolvedWebAuthnProvider,
  expectedResponse: CeremonyResponse,
  checks: { requireUserVerification: boolean },
): Promise<{ newPasskey: Authenticator; aaguid: string }> {
  const server = await loadWebAuthnServer(provider)
  const { supportedAlgorithmIDs, attestationType = "none" } = provider.registration
  const { id, response } = expectedResponse.response
  if (attestationType === "none" && !isAllowedAttestationFormat(response.attestationObject))
    throw createVerificationError(provider, "no attestation, because none was requested")
  const verification = server.verifyRegistrationResponse({
    ...(supportedAlgorithmIDs ? { supportedAlgorithmIDs } : {}),
    ...checks,
    ...expectedResponse,
  })
  const { verified, registrationInfo } = await verification.catch((cause) => {
    throw createVerificationError(provider, "a valid new passkey", { cause })
  })
  // The id inside the attestation may differ from the one in the request, whose length is limited and by which the
  // passkey is found later.
  if (!verified || registrationInfo?.credential.id !== id)
    throw createVerificationError(provider, "a valid attestation")
  const { credential, credentialBackedUp, credentialDeviceType, aaguid } = registrationInfo
  const credentialID = base64UrlToBase64(credential.id)
  const newPasskey = {
    providerAccountId: credentialID,
    counter: credential.counter,
    credentialID,
    credentialPublicKey: base64UrlToBase64(encodeBase64Url(credential.publicKey)),
    credentialBackedUp,
    credentialDeviceType,
    transports: parseTransports(credential.transports),
  }
  return { newPasskey, aaguid }
}

/** Returns the transports that a device reports, as far as they look like names. */
function parseTransports(transports: unknown): string | null {
  const list: readonly unknown[] = Array.isArray(transports) ? transports : []
  const names = list.filter((name) => typeof name === "string" && /^[a-z-]{1,32}$/.test(name))
  return names.length === 0 ? null : names.slice(0, 8).join(",")
}

/** Formats that browsers send when none is requested: none, or a signature of the passkey itself (section 5.1.3). */
const allowedFormats: ReadonlySet<unknown> = new Set(["none", "packed"])

/**
 * Whether an attestation object, in base64url, is acceptable when none was requested. To verify other formats, the
 * verifying package checks certificates, and asks hosts that the sender wrote into them whether they are revoked.
 */
export function isAllowedAttestationFormat(attestationObject: unknown): boolean {
  if (!isBase64Url(attestationObject)) return false
  try {
    return allowedFormats.has(readFormat(decodeBase64Url(attestationObject)))
  } catch {
    return false // not base64, not CBOR, or nested too deeply
  }
}

/** Reads the text under `fmt` in a map (RFC 8949). The verifying package refuses a second `fmt`. */
function readFormat(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer)
  let offset = 0

  /** Reads the major type and its argument: the length of what follows in bytes or items (RFC 8949 section 3). */
  function readHead(): { major: number; argument: number } {
    const first = view.getUint8(offset++)
    const [major, info] = [first >> 5, first & 31]
    if (info < 24) return { major, argument: info }
    const start = offset
    offset += 2 ** (info - 24)
    if (info === 24) return { major, argument: view.getUint8(start) }
    if (info === 25) return { major, argument: view.getUint16(start) }
    if (info === 26) return { major, argument: view.getUint32(start) }
    throw new RangeError(`An attestation contains no item that begins with ${first}`)
  }

  /** Reads an item and everything that it contains. Returns only texts. */
  function readItem(): string | undefined {
    const { major, argument } = readHead()
    if (major === 2 || major === 3) {
      const start = offset
      offset += argument
      return major === 3 ? new TextDecoder().decode(bytes.subarray(start, offset)) : undefined
    }
    const childCounts: Readonly<Record<number, number>> = { 4: argument, 5: 2 * argument, 6: 1 }
    for (let remaining = childCounts[major] ?? 0; remaining > 0; remaining -= 1) readItem()
    return undefined
  }

  const { major, argument } = readHead()
  for (let remaining = major === 5 ? argument : 0; remaining > 0; remaining -= 1) {
    const [key, value] = [readItem(), readItem()]
    if (key === "fmt") return value
  }
  return undefined
}
