/** Checks sessions in a sealed cookie. */
import type { SessionServices } from "../../config/core-services.ts"
import type { SessionConfig } from "../../config/resolved-config.ts"
import { readToken, type TokenReadResult } from "../../crypto/jwt.ts"
import { JWTSessionError } from "../../errors.ts"
import { listChunkedValues } from "../../http/cookie-chunks.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { isObject } from "../../objects.ts"
import type { JWT } from "../../types.ts"
import { sealedRecords } from "../lazy-records.ts"
import {
  computeTokenEnd,
  getAbsoluteEnd,
  getCurrentSecond,
  getLifetime,
  isIdleLimited,
  readSessionFacts,
  type SessionFacts,
} from "../session-facts.ts"
import {
  type CheckResult,
  type CookieCandidate,
  checkCandidates,
  type InvalidSession,
  listCandidates,
  type ValidSession,
} from "../session-strategy.ts"
import { hasEndedSessions, isEndedSession } from "./ended-sessions.ts"
import { type CheckedToken, updateSession } from "./update-session.ts"

export type TokenCheckResult =
  | (ValidSession & { readonly token: JWT })
  /** With the token of a session that has ended in this browser. */
  | { readonly kind: "expired"; readonly token?: JWT }
  | Exclude<CheckResult, ValidSession>

/** Checks the session of a request, once. Of several that are valid, the newest one counts. */
export function checkSession(
  services: SessionServices,
  context: SessionContext,
): Promise<TokenCheckResult> {
  context.sessionCheck ??= checkEachSession(services, context)
  return context.sessionCheck as Promise<TokenCheckResult> // set above
}

/** Returns the result for each session that the cookies of a request may hold, once it has been checked. */
export const getChecks = ({ checkedSessions = [] }: SessionContext): readonly TokenCheckResult[] =>
  checkedSessions as readonly TokenCheckResult[] // set by the check

async function checkEachSession(
  services: SessionServices,
  context: SessionContext,
): Promise<TokenCheckResult> {
  const candidates = listCandidates(context, listChunkedValues)
  const results = await checkCandidates(candidates, (candidate) =>
    checkCandidate(services, context, candidate),
  )
  context.checkedSessions = results
  const result = selectSession(results, candidates)
  if (result.kind === "invalid" && result.error) services.logger.error(result.error)
  return result
}

/**
 * Returns the newest valid session of the current name, which may have a prefix that protects it, or else of a former
 * one.
 */
function selectSession(
  results: readonly TokenCheckResult[],
  candidates: readonly CookieCandidate[],
): TokenCheckResult {
  const getIssuedAt = (result: TokenCheckResult | undefined) =>
    (result && "token" in result && result.token?.iat) || 0
  let newest = results.findIndex(({ kind }) => kind === "valid")
  for (const [index, result] of results.entries()) {
    const isSameName = candidates[index]?.name === candidates[newest]?.name
    const isNewer = isSameName && getIssuedAt(result) > getIssuedAt(results[newest])
    if (result.kind === "valid" && isNewer) newest = index
  }
  return (
    results[newest] ??
    results.find(({ kind }) => kind === "unavailable") ??
    results.find((result) => "keepCookie" in result && result.keepCookie) ??
    results.find(({ kind }) => kind === "expired") ??
    results[0] ?? { kind: "none" }
  )
}

/** Returns the tokens of the sessions that are valid, or have ended in this browser. */
export const listTokens = (context: SessionContext): readonly JWT[] =>
  getChecks(context).flatMap((check) => ("token" in check && check.token ? [check.token] : []))

/** Checks one of the values that the session cookie may have. */
async function checkCandidate(
  services: SessionServices,
  context: SessionContext,
  { name, value }: CookieCandidate,
): Promise<TokenCheckResult> {
  const { config } = services
  const decoded = await decodeToken(services, value, name)
  if (decoded.kind === "invalid") return decoded
  const { claims, usesFirstSecret } = decoded
  if (hasEndedSessions(context) && (await isEndedSession(services.tokenHasher, context, claims)))
    return { kind: "expired", token: claims }
  const issuedAt = claims.iat ?? (claims.exp ?? 0) - config.jwt.maxAge
  // Tokens of Auth.js do not say when the session began: it is at least as old as they are.
  const token = { ...claims, signedInAt: claims.signedInAt ?? issuedAt }
  const facts = readSessionFacts(token)
  if (isOver(config, claims, facts)) return { kind: "expired" }
  const isRenewalDue =
    getCurrentSecond() - issuedAt >= getLifetime(config, facts).updateAge ||
    !usesFirstSecret ||
    name !== context.cookieDefinitions.sessionToken.name
  const { sub, email } = token
  const userId = sub ?? (typeof email === "string" ? email : "")
  let checked: CheckedToken = { token, facts, isRenewalDue, storedUpdates: [] }
  if (config.session.records) {
    const end = computeTokenEnd(config, token)
    const check = await sealedRecords.checkToken(services, context, checked, userId, end)
    if (check.kind !== "valid") return check
    checked = check.checked
  }
  return {
    kind: "valid",
    userId,
    token: checked.token,
    facts: checked.facts,
    toPublicSession: (update) => updateSession(services, context, checked, update),
  }
}

/** Whether a limit ends a session whose token is still valid: options may have become stricter. */
function isOver(config: SessionConfig, { iat }: JWT, facts: SessionFacts): boolean {
  const { session, jwt } = config
  // The own codec of an application may write no `iat`.
  const age = iat === undefined ? 0 : getCurrentSecond() - iat
  const isIdle = isIdleLimited(config, facts) && age >= getLifetime(config, facts).maxAge
  // A revocation is kept as long as tokens may last, so that no token may outlast it.
  const isForgotten = Boolean(session.records) && age >= Math.max(session.maxAge, jwt.maxAge)
  return isIdle || isForgotten || getAbsoluteEnd(config, facts) <= Date.now()
}

type DecodedToken = TokenReadResult | InvalidSession

async function decodeToken(
  services: SessionServices,
  token: string,
  salt: string,
): Promise<DecodedToken> {
  const { jwt, session } = services.config
  const read = await (jwt.codec.decode
    ? decodeWithCodec(jwt, token, salt)
    : readToken(token, await services.getTokenKeys(salt)))
  if (read.kind === "valid") return read
  for (const { readToken: readAccepted } of session.accept) {
    const accepted = await readAccepted(token, jwt.secrets, session.maxAge)
    if (accepted) return accepted
  }
  return read
}

/** Decodes a token with the application's own `jwt.decode`. */
async function decodeWithCodec(
  { codec }: SessionConfig["jwt"],
  token: string,
  salt: string,
): Promise<DecodedToken> {
  try {
    const claims = await codec.decode?.({ ...codec, token, salt })
    const keepCookie = (claims ?? null) !== null // null refuses the token, anything else is an error of the codec
    if (!isObject(claims))
      return { kind: "invalid", reason: "`jwt.decode` does not accept it", keepCookie }
    // The codec may keep the object, and callbacks may change the claims.
    return { kind: "valid", claims: { ...claims }, usesFirstSecret: true }
  } catch (cause) {
    const error = new JWTSessionError({ summary: "`jwt.decode` failed.", cause })
    return { kind: "invalid", reason: "`jwt.decode` failed", keepCookie: true, error }
  }
}
