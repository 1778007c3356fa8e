/** Sign-in with a link that only the owner of an address receives, or with the code of its e-mail. */
import type { VerificationToken } from "../../adapters.ts"
import { timingSafeEqual } from "../../crypto/random.ts"
import { type CodeProblem, Verification } from "../../errors.ts"
import type { CompletedFlow } from "../flow.ts"
import {
  consumeVerificationToken,
  isExpired,
  isGuessable,
  minUnguessableLength,
} from "../verification-token.ts"
import { type CodeAttempt, consumeAttempt, parseCode } from "./email-code.ts"
import {
  createEmailIdentity,
  type EmailContext,
  type EmailMarker,
  listMarkers,
  type OpenedLink,
} from "./email-link.ts"

/** Maximum number of pending requests that a code is compared with. Each has attempts of its own. */
const maxMarkers = 3

/**
 * Signs in with the code of an e-mail that this browser requested.
 *
 * @param identifier the normalized address
 * @param typed the code as it was typed
 * @param onCompare called before the code is compared
 * @throws Verification for a code that is wrong or no longer valid; what `onCompare` throws
 */
export async function completeEmailCode(
  context: EmailContext,
  identifier: string,
  typed: string,
  onCompare: () => Promise<void>,
): Promise<CompletedFlow> {
  const markers = await listMarkers(context, identifier)
  return enterCode(context, identifier, markers.slice(0, maxMarkers), typed, onCompare)
}

/**
 * Signs in with a link.
 *
 * @param typed the code as it was typed, in another browser than the one that requested the link
 * @throws Verification for a link that is incomplete, used, expired, for another address, or without its code
 */
export async function completeEmailLink(
  context: EmailContext,
  { email, token, hashes: linkHashes, marker }: OpenedLink,
  typed: string | undefined,
): Promise<CompletedFlow> {
  if (isGuessable(token) && !marker) throw createShortTokenError()
  if (!marker && typed !== undefined) {
    const links = linkHashes.map((linkHash) => ({ linkHash, needsCode: true }))
    return enterCode(context, email, links, typed, async () => {})
  }
  // Also in the format of Auth.js, so that links survive a migration.
  const plainHashes = [...linkHashes, ...(await context.hasher.hashLikeAuthjs(token))]
  const hashes = marker?.needsCode
    ? [...(await hashWithCode(context, marker.linkHash)), ...plainHashes]
    : plainHashes
  const row = await consumeVerificationToken(context.store, email, hashes)
  const { sendsCode } = context.provider
  // The browser that requested the link needs no code.
  if (!row && sendsCode && !marker) throw createCodeError("missing")
  if (!row) throw createLinkError("one that is not stored: it was used, replaced or changed")
  if (isExpired(row)) throw createLinkError("one that has expired")
  const attempt = sendsCode
    ? await endAttempts(context, marker ? [marker.linkHash] : linkHashes)
    : []
  return complete(context, email, [row, ...attempt], marker)
}

/** Compares a code with those of several links, newest first. Each counts the attempt for itself. */
async function enterCode(
  context: EmailContext,
  identifier: string,
  links: readonly EmailMarker[],
  typed: string,
  onCompare: () => Promise<void>,
): Promise<CompletedFlow> {
  const code = parseCode(typed)
  if (code === undefined) throw createCodeError(typed.trim() === "" ? "missing" : "incorrect")
  let attemptsLeft = 0
  let isCompared = false
  for (const link of links) {
    const attempt = await consumeAttempt(context, link.linkHash)
    if (!attempt) continue
    if (!isCompared) await onCompare().catch((error) => restoreAndThrow(context, attempt, error))
    isCompared = true
    if (timingSafeEqual(attempt.code, code))
      return completeWithCode(context, identifier, link, attempt)
    if (attempt.nextRow) await context.store.createVerificationToken(attempt.nextRow)
    attemptsLeft = Math.max(attemptsLeft, attempt.attemptsLeft)
  }
  throw attemptsLeft > 0 ? createCodeError("incorrect", attemptsLeft) : createCodeError("invalid")
}

/** Consumes the link of a code that is right. */
async function completeWithCode(
  context: EmailContext,
  identifier: string,
  marker: EmailMarker,
  attempt: CodeAttempt,
): Promise<CompletedFlow> {
  const { linkHash, needsCode } = marker
  const withCode = await hashWithCode(context, linkHash)
  const hashes = needsCode ? [...withCode, linkHash] : [linkHash, ...withCode]
  const row = await consumeVerificationToken(context.store, identifier, hashes).catch((error) =>
    restoreAndThrow(context, attempt, error),
  )
  if (!row || isExpired(row)) throw createCodeError("invalid")
  return complete(context, identifier, [row, attempt.row], marker)
}

/** Allows an attempt again that could not be completed. */
async function restoreAndThrow(
  context: EmailContext,
  { row }: CodeAttempt,
  error: unknown,
): Promise<never> {
  await restore(context, [row])
  throw error
}

/** Returns the hashes under which a link is stored that other browsers use only with its code. */
const hashWithCode = (context: EmailContext, linkHash: string): Promise<readonly string[]> =>
  context.hasher.hashWithEachSecret("email link with code", linkHash)

/** @param rows what was consumed, and is stored again if an error prevents the sign-in */
async function complete(
  context: EmailContext,
  identifier: string,
  rows: readonly VerificationToken[],
  marker: EmailMarker | undefined,
): Promise<CompletedFlow> {
  const restoreToken = () => restore(context, rows)
  try {
    const identity = await createEmailIdentity(context, identifier)
    return { kind: "completed", identity, signIn: { rememberMe: marker?.rememberMe }, restoreToken }
  } catch (error) {
    await restoreToken()
    throw error
  }
}

/** Stores rows again. Logs its own errors, so that the caller throws the first one. */
async function restore(context: EmailContext, rows: readonly VerificationToken[]): Promise<void> {
  const { store, logger } = context
  for (const row of rows)
    await store.createVerificationToken(row).catch((cause) => logger.error(cause))
}

/** Deletes the attempts to enter the code of a link that was used. If that fails, they are worth nothing. */
async function endAttempts(
  context: EmailContext,
  linkHashes: readonly string[],
): Promise<readonly VerificationToken[]> {
  try {
    for (const linkHash of linkHashes) {
      const attempt = await consumeAttempt(context, linkHash)
      if (attempt) return [attempt.row]
    }
  } catch (cause) {
    context.logger.error(cause)
  }
  return []
}

const codeProblems: Readonly<Record<CodeProblem, { expected: string; received: string }>> = {
  incorrect: { expected: "the six digits in the e-mail", received: "another code" },
  missing: {
    expected: "the code in the e-mail, because another browser requested the link",
    received: "no code",
  },
  invalid: {
    expected: "a code of the last ten minutes that this browser requested and nobody has used",
    received: "one that has expired, was used, had five attempts, or was requested elsewhere",
  },
}

const createCodeError = (codeProblem: CodeProblem, attemptsLeft?: number): Verification =>
  new Verification({ ...codeProblems[codeProblem], codeProblem, attemptsLeft })

function createShortTokenError(): Verification {
  return new Verification({
    expected: "the short token of the latest link that this browser requested",
    received: "another one",
    hint: `Links with tokens of at least ${minUnguessableLength} characters work in other browsers, too.`,
  })
}

function createLinkError(received: string): Verification {
  const expected = "a link that is unused, not expired, and for this address"
  return new Verification({ expected, received })
}
