/** The tokens of links. */
import type { VerificationToken } from "../adapters.ts"
import { type AdapterStore, parseStoredDate } from "../config/adapter-store.ts"
import { timingSafeEqual } from "../crypto/random.ts"

/** Maximum length of a token in characters. */
export const maxTokenLength = 512
/** Tokens of this length cannot be guessed: the default ones, and those of nanoid, which have 21 characters. */
export const minUnguessableLength = 21

/** Whether the token of a link is so short that somebody may guess it, such as a code of digits. */
export const isGuessable = (token: string): boolean => token.length < minUnguessableLength

/** Whether a stored token has expired. A time that cannot be read is in the past. */
export const isExpired = ({ expires }: VerificationToken): boolean =>
  !(parseStoredDate(expires).getTime() > Date.now())

/**
 * Deletes the token that is stored under one of several hashes, and returns it. Adapters guarantee that only one of
 * several callers receives it. Returns undefined if there is none.
 */
export async function consumeVerificationToken(
  store: AdapterStore,
  identifier: string,
  hashes: readonly string[],
): Promise<VerificationToken | undefined> {
  for (const token of hashes) {
    const stored = await store.useVerificationToken({ identifier, token })
    if (!stored) continue
    const hasSameHash = hashes.some((hash) => timingSafeEqual(hash, stored.token))
    if (hasSameHash && stored.identifier === identifier) return stored
    // The adapter compared only a part of the key: the token that it deleted belongs to something else.
    await store.createVerificationToken(stored)
    return undefined
  }
  return undefined
}
