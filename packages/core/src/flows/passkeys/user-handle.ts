/** The user handle, by which a device tells the users of a relying party apart (WebAuthn Level 3, section 5.4.3). */
import { sha256Base64Url } from "../../crypto/digest.ts"
import { encodeBase64Url } from "../../runtime/base64url.ts"
import { encodeUtf8 } from "../../runtime/bytes.ts"

/**
 * The prefix of the user handle when a signed-in user adds a passkey. Other handles are random, because a new user has
 * no id before the passkey exists. They cannot be compared, because the record format of Auth.js does not store them.
 */
const derivedPrefix = encodeBase64Url(encodeUtf8("latchkey:"))

/** Derives the handle of passkeys that a user adds, in base64url. */
export async function deriveUserHandle(userId: string): Promise<string> {
  return derivedPrefix + (await sha256Base64Url(String(userId)))
}

/** Whether a handle was derived from another user. Devices do not sign it, so that it proves nothing else. */
export async function isForeignUserHandle(handle: unknown, userId: string): Promise<boolean> {
  return String(handle).startsWith(derivedPrefix) && handle !== (await deriveUserHandle(userId))
}
