/** The browser's own dialogue for passkeys: from options as JSON to an answer as JSON (WebAuthn Level 3, 5.1). */

/** What a ceremony does: uses a passkey, or makes one. */
export type CeremonyKind = "authenticate" | "register"

/** Options as the server gives them: bytes are base64url. Browsers check the rest. */
export interface CeremonyOptionsJSON {
  readonly challenge: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly CredentialDescriptorJSON[]
  readonly excludeCredentials?: readonly CredentialDescriptorJSON[]
}

interface CredentialDescriptorJSON {
  readonly id: string
}

/** Whether this browser, on this page, can use passkeys. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "credentials" in navigator
}

/** Whether this browser can offer passkeys while a field is filled in. */
export async function canAutofillPasskeys(): Promise<boolean> {
  return canUsePasskeys() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())
}

/**
 * Asks the device.
 *
 * @param autofill waits until the person picks a passkey at a field
 * @throws DOMException: `NotAllowedError` (no, or too late), `AbortError`, `InvalidStateError` (it has one already)
 */
export async function requestCredential(
  ceremony: CeremonyKind,
  optionsJSON: CeremonyOptionsJSON,
  signal: AbortSignal,
  autofill = false,
): Promise<object> {
  // Written out, because password managers that stand in for the browser know no `parseRequestOptionsFromJSON`.
  const decodedOptions = {
    ...optionsJSON,
    challenge: decodeBase64Url(optionsJSON.challenge),
    ...(optionsJSON.user && {
      user: { ...optionsJSON.user, id: decodeBase64Url(optionsJSON.user.id) },
    }),
    ...(optionsJSON.allowCredentials && {
      allowCredentials: optionsJSON.allowCredentials.map(decodeDescriptor),
    }),
    ...(optionsJSON.excludeCredentials && {
      excludeCredentials: optionsJSON.excludeCredentials.map(decodeDescriptor),
    }),
  }
  // The server made them for this very call, and the browser checks each.
  const publicKey: unknown = decodedOptions
  const credential =
    ceremony === "register"
      ? await navigator.credentials.create({
          publicKey: publicKey as PublicKeyCredentialCreationOptions,
          signal,
        })
      : await navigator.credentials.get({
          publicKey: publicKey as PublicKeyCredentialRequestOptions,
          signal,
          ...(autofill && { mediation: "conditional" }),
        })
  if (!credential) throw new DOMException("No passkey was chosen.", "NotAllowedError")
  return encodeCredential(credential as PublicKeyCredential) // nothing else was asked for
}

function decodeDescriptor(credential: CredentialDescriptorJSON) {
  return { ...credential, id: decodeBase64Url(credential.id) }
}

function encodeCredential({
  id,
  rawId,
  type,
  authenticatorAttachment,
  response,
}: PublicKeyCredential) {
  const { clientDataJSON } = response
  const { attestationObject, getTransports } = response as AuthenticatorAttestationResponse
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    id,
    rawId: encodeBase64Url(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: {},
    response: attestationObject
      ? {
          clientDataJSON: encodeBase64Url(clientDataJSON),
          attestationObject: encodeBase64Url(attestationObject),
          transports: getTransports?.call(response) ?? [],
        }
      : {
          clientDataJSON: encodeBase64Url(clientDataJSON),
          authenticatorData: encodeBase64Url(authenticatorData),
          signature: encodeBase64Url(signature),
          ...(userHandle && { userHandle: encodeBase64Url(userHandle) }),
        },
  }
}

function decodeBase64Url(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/")
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function encodeBase64Url(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
