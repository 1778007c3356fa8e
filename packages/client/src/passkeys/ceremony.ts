/** The browser's dialogs for passkeys, with JSON as input and output (WebAuthn Level 3 section 5.1). */

/** Whether to use a passkey, or to create one. */
export type CeremonyKind = "authenticate" | "register"

/** The options of the server, in which bytes are base64url. The browser validates the other properties. */
export interface CeremonyOptionsJSON {
  readonly challenge: string
  /** The id of the relying party, of options for using a passkey. */
  readonly rpId?: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly CredentialDescriptorJSON[]
  readonly excludeCredentials?: readonly CredentialDescriptorJSON[]
}

interface CredentialDescriptorJSON {
  readonly id: string
}

/** When to replace a challenge that waits at a field, in milliseconds. Challenges are valid for fifteen minutes. */
export const challengeRenewalInterval = 600_000

/** The passkeys that the server accepts. Bytes are base64url. */
export interface AcceptedPasskeysJSON {
  readonly rpId: string
  readonly userIds: readonly string[]
  readonly credentialIds: readonly string[]
  readonly name: string
  readonly displayName: string
}

/** The functions with which a page tells the browser what the server knows (WebAuthn Level 3 section 5.1.10). */
interface SignalMethods {
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean>>>
  signalUnknownCredential?(options: { rpId: string; credentialId: string }): Promise<void>
  signalAllAcceptedCredentials?(options: {
    rpId: string
    userId: string
    allAcceptedCredentialIds: readonly string[]
  }): Promise<void>
  signalCurrentUserDetails?(options: {
    rpId: string
    userId: string
    name: string
    displayName: string
  }): Promise<void>
}

const getSignalMethods = (): SignalMethods => (canUsePasskeys() ? PublicKeyCredential : {})

/** Whether this browser passes on which passkeys the server accepts. */
export const canSignalPasskeys = (): boolean =>
  getSignalMethods().signalAllAcceptedCredentials !== undefined

/** Tells the browser, and password managers, which passkeys the server accepts. Older browsers ignore it. */
export async function signalPasskeys({
  rpId,
  userIds,
  credentialIds,
  name,
  displayName,
}: AcceptedPasskeysJSON): Promise<void> {
  const methods = getSignalMethods()
  for (const userId of userIds) {
    const user = { rpId, userId }
    const accepted = { ...user, allAcceptedCredentialIds: credentialIds }
    await methods.signalAllAcceptedCredentials?.(accepted)
    await methods.signalCurrentUserDetails?.({ ...user, name, displayName })
  }
}

/** The reason of a refusal for a passkey that the server does not have. */
export const unknownPasskeyReason = "unknown-passkey"

/** Tells the browser that the server has no such passkey, so that it is not offered again. */
export async function signalUnknownPasskey(
  rpId: string | undefined,
  credentialId: string,
): Promise<void> {
  if (rpId !== undefined) await getSignalMethods().signalUnknownCredential?.({ rpId, credentialId })
}

/** Whether this browser creates passkeys without asking for users who have just signed in with a saved password. */
export async function canCreateAutomatically(): Promise<boolean> {
  return (await getSignalMethods().getClientCapabilities?.())?.["conditionalCreate"] === true
}

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
 * @param isConditional shows no dialog: waits until the user chooses a passkey at a field, or creates one without asking
 * @throws DOMException: `NotAllowedError` (declined or too late), `AbortError`, `InvalidStateError` (there is a passkey)
 */
export async function requestCredential(
  ceremony: CeremonyKind,
  { challenge, user, allowCredentials, excludeCredentials, ...rest }: CeremonyOptionsJSON,
  signal: AbortSignal,
  isConditional = false,
): Promise<CredentialJSON> {
  // Not `parseRequestOptionsFromJSON`, which password managers that replace the browser's dialog do not implement.
  const publicKey = {
    ...rest,
    challenge: decodeBase64Url(challenge),
    ...(user && { user: decodeId(user) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(decodeId) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(decodeId) }),
  }
  const options = { publicKey, signal, ...(isConditional && { mediation: "conditional" }) }
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

/** The response of a device. Bytes are base64url. */
export interface CredentialJSON {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly authenticatorAttachment: string | undefined
  readonly clientExtensionResults: object
  readonly response: object
}

function encodeCredential(credential: PublicKeyCredential): CredentialJSON {
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
