/** The browser's own dialogue for passkeys: from options as JSON to an answer as JSON (WebAuthn Level 3, 5.1). */

/** What a ceremony does: uses a passkey, or makes one. */
export type CeremonyKind = "authenticate" | "register"

/** Options as the server gives them: bytes are base64url. Browsers check the rest. */
export interface CeremonyJSON {
  readonly challenge: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly CredentialJSON[]
  readonly excludeCredentials?: readonly CredentialJSON[]
}

interface CredentialJSON {
  readonly id: string
}

/** Whether this browser, on this page, can use passkeys. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "credentials" in navigator
}

/** Whether this browser can offer passkeys while a field is filled in. */
export async function canAutofill(): Promise<boolean> {
  return canUsePasskeys() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())
}

/**
 * Asks the device.
 *
 * @param autofill waits until the person picks a passkey at a field
 * @throws DOMException: `NotAllowedError` (no, or too late), `AbortError`, `InvalidStateError` (it has one already)
 */
export async function ask(
  kind: CeremonyKind,
  json: CeremonyJSON,
  signal: AbortSignal,
  autofill = false,
): Promise<object> {
  // Written out, because password managers that stand in for the browser know no `parseRequestOptionsFromJSON`.
  const decoded = {
    ...json,
    challenge: bytes(json.challenge),
    ...(json.user && { user: { ...json.user, id: bytes(json.user.id) } }),
    ...(json.allowCredentials && { allowCredentials: json.allowCredentials.map(descriptor) }),
    ...(json.excludeCredentials && { excludeCredentials: json.excludeCredentials.map(descriptor) }),
  }
  // The server made them for this very call, and the browser checks each.
  const publicKey: unknown = decoded
  const credential =
    kind === "register"
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
  return answer(credential as PublicKeyCredential) // nothing else was asked for
}

function descriptor(credential: CredentialJSON) {
  return { ...credential, id: bytes(credential.id) }
}

function answer({ id, rawId, type, authenticatorAttachment, response }: PublicKeyCredential) {
  const { clientDataJSON } = response
  const { attestationObject, getTransports } = response as AuthenticatorAttestationResponse
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    id,
    rawId: text(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: {},
    response: attestationObject
      ? {
          clientDataJSON: text(clientDataJSON),
          attestationObject: text(attestationObject),
          transports: getTransports?.call(response) ?? [],
        }
      : {
          clientDataJSON: text(clientDataJSON),
          authenticatorData: text(authenticatorData),
          signature: text(signature),
          ...(userHandle && { userHandle: text(userHandle) }),
        },
  }
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/")
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function text(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
