/**
 * The user handles of passkeys, by which a device tells the users of a relying party apart (WebAuthn Level 3, section
 * 5.4.3). The record format of Auth.js does not store them, so they are derived from the ids of users.
 */
import { sha256Base64Url, sha256Hex } from "../../crypto/digest.ts"
import { encodeBase64Url } from "../../runtime/base64url.ts"
import { encodeUtf8 } from "../../runtime/bytes.ts"

/** The prefix of handles that were derived from the id of a stored user. */
const derivedPrefix = encodeBase64Url(encodeUtf8("latchkey:"))

/** Derives the handle of passkeys that a user adds, in base64url. */
export async function deriveUserHandle(userId: string): Promise<string> {
  return derivedPrefix + (await sha256Base64Url(String(userId)))
}

/** Derives the handle of the first passkey of a user, from the id that the database may replace. */
export async function deriveFirstHandle(newUserId: string): Promise<string> {
  return sha256Base64Url(newUserId)
}

/** Creates the id of a user whose passkey is registered first. It ends with a checksum, by which it is recognized. */
export const createUserId = (): Promise<string> => addChecksum(crypto.randomUUID())

/** Replaces the last group of a UUID by a checksum of the others. */
async function addChecksum(uuid: string): Promise<string> {
  const groups = uuid.slice(0, 24)
  return groups + (await sha256Hex(groups)).slice(0, 12)
}

/**
 * Whether a handle is not one with which a passkey of the user was registered. Unknown, and thus false, for random
 * handles of users whose id the database or Auth.js has chosen. Security keys may have no handle.
 */
export async function isForeignUserHandle(handle: unknown, userId: string): Promise<boolean> {
  if (!handle || handle === (await deriveUserHandle(userId))) return false
  if (String(handle).startsWith(derivedPrefix)) return true
  return userId === (await addChecksum(userId)) && handle !== (await deriveFirstHandle(userId))
}
