/** The codes of e-mails: six digits that are derived from a link, and the attempts to enter them. */
import type { VerificationToken } from "../../adapters.ts"
import { codeMaxAge } from "../../providers/code-senders.ts"
import { consumeVerificationToken, isExpired } from "../verification-token.ts"
import type { EmailContext } from "./email-link.ts"

const maxAttempts = 5
/** Longest text that is taken for a code, in characters. */
const maxTypedLength = 64
/** Identifiers of addresses do not contain it. */
const identifierPrefix = "email-code:"

/** Derives the code from the hash of its link. It is not stored. */
export async function deriveCode(context: EmailContext, linkHash: string): Promise<string> {
  return toCode(await context.hasher.hash("email code", linkHash))
}

/** Takes six digits from 52 bits, so that all codes are equally likely. */
export const toCode = (hash: string): string =>
  String(Number.parseInt(hash.slice(0, 13), 16) % 1_000_000).padStart(6, "0")

/** Returns the digits that a person typed, in any script and grouping; undefined if the text is not a code. */
export function parseCode(typed: string): string | undefined {
  const text = typed.slice(0, maxTypedLength).normalize("NFKC")
  const digits = text.replace(/[\s\p{Pd}\p{Cf}]/gu, "").replace(/\p{Nd}/gu, toDigit)
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Returns the ASCII digit for one of any script: their code points are in runs of ten (Unicode section 4.6). */
function toDigit(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  let first = codePoint
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((codePoint - first) % 10)
}

/** One of the attempts to enter a code. It is a stored row, so that each is made once, whatever runs in parallel. */
export interface CodeAttempt {
  readonly row: VerificationToken
  /** How many attempts are left after this one. */
  readonly attemptsLeft: number
  /** The code that is right. */
  readonly code: string
  /** The row of the next attempt, if there is one. */
  readonly nextRow: VerificationToken | undefined
}

/** Allows the first attempt to enter the code of a link. */
export async function storeFirstAttempt(
  context: EmailContext,
  linkHash: string,
  linkExpires: Date,
): Promise<void> {
  const hash = await context.hasher.hash("email code attempt", `${linkHash} 1`)
  const expires = new Date(Math.min(linkExpires.getTime(), Date.now() + codeMaxAge * 1000))
  await context.store.createVerificationToken({ ...createKey(hash), expires })
}

/** Each attempt has an identifier of its own: some adapters delete all tokens of an identifier, even a little later. */
const createKey = (hash: string) => ({ identifier: identifierPrefix + hash, token: hash })

/** Begins the next attempt; undefined if the code has expired, or there are no attempts left. */
export async function consumeAttempt(
  { hasher, store }: EmailContext,
  linkHash: string,
): Promise<CodeAttempt | undefined> {
  const hashAttempt = (number: number) =>
    hasher.hashWithEachSecret("email code attempt", `${linkHash} ${number}`)
  const codes = (await hasher.hashWithEachSecret("email code", linkHash)).map(toCode)
  for (let number = 1; number <= maxAttempts; number += 1) {
    for (const [index, hash] of (await hashAttempt(number)).entries()) {
      const { identifier, token } = createKey(hash)
      const row = await consumeVerificationToken(store, identifier, [token])
      if (!row) continue
      if (isExpired(row)) return undefined
      const attemptsLeft = maxAttempts - number
      const nextHash = attemptsLeft > 0 ? (await hashAttempt(number + 1))[index] : undefined
      const nextRow =
        nextHash === undefined ? undefined : { ...createKey(nextHash), expires: row.expires }
      return { row, attemptsLeft, code: codes[index] ?? "", nextRow }
    }
  }
  return undefined
}
