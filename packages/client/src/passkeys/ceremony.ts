/** The browser's dialogs for passkeys, with JSON as input and output (WebAuthn Level 3 section 5.1). */

/** Whether to use a passkey, or to create one. */
export type CeremonyKind = "authenticate" | "register"

/** The options of the server, in which bytes are base64url. The browser validates the other properties. */
export interface CeremonyOptionsJSON {
  readonly challenge: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly CredentialDescriptorJSON[]
  readonly excludeCredentials?: readonly CredentialDescriptorJSON[]
}

interface CredentialDescriptorJSON {
  readonly id: string
}

/** When to replace a challenge that waits at a field, in milliseconds. Challenges are valid for fifteen minutes. */
export const challengeRenewalInterval = 600_000

/** Whether this browser can use passkeys on this page. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "credentials" in navigator
}

/** Whether this browser can offer passkeys at a field. */
export async function canAutofillPasskeys(): Promise<boolean> {
  return canUsePasskeys() && !!(await PublicKeyCredential.isConditionalMediationAvailable?.())
}

/**
 * Runs the browser's dialog.
 *
 * @param autofill waits until the user chooses a passkey at a field
 * @throws DOMException: `NotAllowedError` (declined or too late), `AbortError`, `InvalidStateError` (there is a passkey)
 */
export async function requestCredential(
  ceremony: CeremonyKind,
  { challenge, user, allowCredentials, excludeCredentials, ...rest }: CeremonyOptionsJSON,
  signal: AbortSignal,
  autofill = false,
): Promise<object> {
  // Not `parseRequestOptionsFromJSON`, which password managers that replace the browser's dialog do not implement.
  const publicKey = {
    ...rest,
    challenge: decodeBase64Url(challenge),
    ...(user && { user: decodeId(user) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(decodeId) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(decodeId) }),
  }
  const options = { publicKey, signal, ...(autofill && { mediation: "conditional" }) }
  // The server created the options for this call, and the browser validates them.
  const credential = await (ceremony === "register"
    ? navigator.credentials.create(options as unknown as CredentialCreationOptions)
    : navigator.credentials.get(options as unknown as CredentialRequestOptions))
  if (!credential) throw new DOMException("No passkey was chosen.", "NotAllowedError")
  return encodeCredential(credential as PublicKeyCredential) // the only type that was requested
}

function decodeId<T extends CredentialDescriptorJSON>(entity: T) {
  return { ...entity, id: decodeBase64Url(entity.id) }
}

function encodeCredential(credential: PublicKeyCredential) {
  const { id, rawId, type, authenticatorAttachment, response } = credential
  const { attestationObject, getTransports } = response as AuthenticatorAttestationResponse
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    id,
    rawId: encodeBase64Url(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: {},
    response: {
      clientDataJSON: encodeBase64Url(response.clientDataJSON),
      ...(attestationObject
        ? {
            attestationObject: encodeBase64Url(attestationObject),
            transports: getTransports?.call(response) ?? [],
          }
        : {
            authenticatorData: encodeBase64Url(authenticatorData),
            signature: encodeBase64Url(signature),
            ...(userHandle && { userHandle: encodeBase64Url(userHandle) }),
          }),
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
