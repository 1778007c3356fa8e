/**
 * The facts of a session that its start decides: when it began, when its user authenticated, and how long it may last.
 * They are part of its token, so that no check has to look them up.
 */
import type { SessionConfig } from "../config/resolved-config.ts"
import { randomToken } from "../crypto/random.ts"
import { SessionNotFresh } from "../errors.ts"
import type { FactorMethodId, SessionInfo, SessionStart } from "../latchkey-auth.ts"
import { isDate, isObject, omitUndefined, shareWithCopies } from "../objects.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT, Session } from "../types.ts"

/** The facts of a session. Times are in seconds since 1970. */
export interface SessionFacts {
  /** Of sessions in cookies, and with `session.records`. */
  readonly id?: string | undefined
  /** When the session began, in milliseconds: a later revocation of all sessions of the user ends it. */
  readonly epoch?: number | undefined
  /** A hash of the user's id, by which all their sealed sessions are revoked. Only with `session.records`. */
  readonly user?: string | undefined
  /** The version of the last update by server code that the token has received. */
  readonly updated?: number | undefined
  /** Undefined if it is not known. */
  readonly createdAt?: number | undefined
  /** When the user authenticated, if the provider said so. */
  readonly authTime?: number | undefined
  /** When the user proved a second factor, if they did. */
  readonly factorTime?: number | undefined
  /** The method of that factor; undefined if the provider has asked for it. */
  readonly factorMethod?: FactorMethodId | undefined
  /** Id of the provider that the user signed in with. */
  readonly provider?: string | undefined
  /** Of the sign-in. Only in a sealed session, with `session.keepIdToken`. */
  readonly idToken?: string | undefined
  /** Whether the session ends with the browser. */
  readonly isTemporary?: boolean | undefined
}

/**
 * Returns the facts of a session that begins now.
 *
 * @param continued the facts of the session that it continues: its user has added an account, and did not authenticate
 */
export function createSessionFacts(
  { account, authentication, rememberMe, factorTime, factorMethod }: SignInResult,
  { session }: SessionConfig,
  continued: SessionFacts | undefined,
): SessionFacts {
  const now = Date.now()
  const isLong = continued ? !continued.isTemporary : session.rememberMe?.default
  // A provider must not get the ID token of another one.
  const { provider, idToken } = continued ?? {
    provider: account.provider,
    idToken: account.id_token,
  }
  return {
    ...(session.keepIdToken && { provider, idToken }),
    ...((session.records || session.strategy === "jwt") && { id: randomToken().slice(0, 22) }),
    ...(session.records && { epoch: now, provider }),
    createdAt: continued?.createdAt ?? Math.floor(now / 1000),
    authTime: continued ? getAuthTime(continued) : authentication?.authTime,
    factorTime: continued ? continued.factorTime : factorTime,
    factorMethod: continued ? continued.factorMethod : factorMethod,
    isTemporary: session.rememberMe && !(rememberMe ?? isLong),
  }
}

/** Returns when the user of a session authenticated; undefined if that was when it began, 0 if it is not known. */
const getAuthTime = ({ authTime, createdAt }: SessionFacts): number | undefined =>
  authTime ?? (createdAt === undefined ? 0 : undefined)

/** The claim of a session token that holds its facts, but for `createdAt`, which is the claim `signedInAt`. */
export const factsClaimName = "sessionFacts"

/** Returns the facts in a session token. */
export function readSessionFacts(token: JWT): SessionFacts {
  const facts = token[factsClaimName]
  const createdAt = token.signedInAt
  // Only this library writes the claim.
  return isObject(facts) ? { ...(facts as SessionFacts), createdAt } : { createdAt }
}

/** Returns the claim with the facts; no claim if there are none. */
export function toFactsClaim({ createdAt: _, ...facts }: SessionFacts): JWT {
  const defined = omitUndefined({ ...facts, isTemporary: facts.isTemporary || undefined })
  return Object.keys(defined).length === 0 ? {} : { [factsClaimName]: defined }
}

/**
 * The end of a database session's token: both times in base 36, a `t` for a session that ends with the browser, and an `f`
 * with the time of the second factor and the letter of its method.
 */
const tokenEnding = /\.([0-9a-z]{6,8})\.([0-9a-z]{6,8})(\.t)?(?:\.f([0-9a-z]{6,8})([A-Z])?)?$/

const letters: Readonly<Record<FactorMethodId, string>> = {
  totp: "T",
  "recovery-codes": "R",
  "email-codes": "E",
  passkey: "P",
}

const findMethodByLetter = (letter: string | undefined): FactorMethodId | undefined =>
  (Object.keys(letters) as FactorMethodId[]).find((method) => letters[method] === letter)

/** Adds facts to the token of a database session. The database finds only the whole token, so they cannot be changed. */
export function addFactsToToken(
  token: string,
  { createdAt = 0, authTime = createdAt, isTemporary = false, ...facts }: SessionFacts,
): string {
  const { factorTime, factorMethod } = facts
  const encode = (time: number) => Math.floor(time).toString(36).padStart(6, "0")
  const letter = factorMethod ? letters[factorMethod] : ""
  const factor = factorTime === undefined ? [] : [`f${encode(factorTime)}${letter}`]
  const ending = [encode(createdAt), encode(authTime), ...(isTemporary ? ["t"] : []), ...factor]
  return [token, ...ending].join(".")
}

/** Returns the facts in the token of a database session. Older tokens have none. */
export function readFactsOfToken(token: string): SessionFacts {
  const [ending, createdAt = "", authTime = "", temporary, factor, letter] =
    tokenEnding.exec(token) ?? []
  if (ending === undefined) return {}
  return {
    createdAt: Number.parseInt(createdAt, 36),
    authTime: Number.parseInt(authTime, 36),
    isTemporary: temporary !== undefined,
    factorTime: factor === undefined ? undefined : Number.parseInt(factor, 36),
    factorMethod: findMethodByLetter(letter),
  }
}

/** Whether database sessions have their facts in their tokens: only if an option needs them. */
export function hasFactsInToken({ session, secondFactor }: SessionConfig): boolean {
  const { absoluteTimeout, rememberMe, records } = session
  return Boolean(absoluteTimeout ?? rememberMe ?? records ?? secondFactor)
}

/** How long a session lasts after its last renewal, and how often it is renewed at most, in seconds. */
export function getLifetime(
  { session: { maxAge, updateAge, rememberMe } }: SessionConfig,
  { isTemporary }: SessionFacts,
): { readonly maxAge: number; readonly updateAge: number } {
  if (!isTemporary || !rememberMe) return { maxAge, updateAge }
  const temporaryMaxAge = Math.min(maxAge, rememberMe.temporaryMaxAge)
  return { maxAge: temporaryMaxAge, updateAge: Math.min(updateAge, temporaryMaxAge / 10) }
}

/** Whether the options limit how long a session may be unused. Without them, the end of its last renewal counts. */
export function isIdleLimited({ session }: SessionConfig, { isTemporary }: SessionFacts): boolean {
  return session.idleTimeout !== undefined || (isTemporary === true && Boolean(session.rememberMe))
}

/**
 * Returns when a session has to end although it is used, in milliseconds since 1970. `NaN` for a session whose beginning is
 * not known, which must not be extended.
 */
export function getAbsoluteEnd(
  { session: { absoluteTimeout } }: SessionConfig,
  { createdAt = Number.NaN }: SessionFacts,
): number {
  return absoluteTimeout === undefined
    ? Number.POSITIVE_INFINITY
    : (createdAt + absoluteTimeout) * 1000
}

/** Returns when a session ends that is renewed now, in milliseconds since 1970; `NaN` if it must not be extended. */
export function computeEnd(config: SessionConfig, facts: SessionFacts): number {
  const idleEnd = Date.now() + getLifetime(config, facts).maxAge * 1000
  return Math.min(idleEnd, getAbsoluteEnd(config, facts))
}

/** Returns how long a token lasts that is written now, and its cookie, which lasts as long as the session. In seconds. */
export function getMaxAges(
  config: SessionConfig,
  token: JWT,
): { readonly cookieMaxAge: number; readonly tokenMaxAge: number } {
  const facts = readSessionFacts(token)
  const { maxAge } = getLifetime(config, facts)
  const limit = Math.floor((getAbsoluteEnd(config, facts) - Date.now()) / 1000)
  const jwtMaxAge = config.jwt.maxAge
  const tokenMaxAge = facts.isTemporary ? Math.min(jwtMaxAge, maxAge) : jwtMaxAge
  return { cookieMaxAge: Math.min(maxAge, limit), tokenMaxAge: Math.min(tokenMaxAge, limit) }
}

/** Returns when the last token ends that a session can have now, in milliseconds since 1970. */
export function computeTokenEnd(config: SessionConfig, token: JWT): number {
  return Date.now() + getMaxAges(config, token).tokenMaxAge * 1000
}

/** The facts of a session that the application receives. */
export interface KnownSessionFacts extends SessionFacts {
  /** Empty if the session does not name its user. */
  readonly userId: string
}

const factsOfSessions = /*#__PURE__*/ shareWithCopies(
  "factsOfSessions",
  () => new WeakMap<Session, KnownSessionFacts>(),
)

export function rememberSessionFacts(session: Session, facts: KnownSessionFacts): void {
  factsOfSessions.set(session, facts)
}

/**
 * Returns what is known about a session without asking the database: its user (`userId`), when the user authenticated
 * (`authTime`), when it began (`createdAt`), and whether it ends with the browser (`isTemporary`). In a cookie or with
 * `session.records` also its `id`; in a cookie, with `session.records` or `session.keepIdToken`, also its `provider`.
 * Database sessions know the times if one of the options `records`, `absoluteTimeout` and `rememberMe` of `session`, or
 * `secondFactor`, is set. `level` is 2 if the user has proven a second factor, at `factorTime`; `acr` and `amr` describe it.
 *
 * @param session as `getSession` returned it: nothing is known about copies
 */
export function getSessionInfo(session: Session): Partial<SessionInfo> | undefined {
  const facts = factsOfSessions.get(session)
  if (!facts) return undefined
  const { id, userId, createdAt, authTime, factorTime, provider, isTemporary } = facts
  const toDate = (seconds: number | undefined) =>
    seconds === undefined ? undefined : new Date(seconds * 1000)
  return omitUndefined({
    id,
    userId: String(userId) || undefined,
    provider,
    createdAt: toDate(createdAt),
    authTime: toDate(authTime ?? createdAt),
    level: factorTime === undefined ? 1 : 2,
    factorTime: toDate(factorTime),
    ...getAcrAndAmr(facts),
    isTemporary: isTemporary === true,
  } as const)
}

/**
 * Returns the level of an authentication with two factors, and its methods (RFC 8176); nothing after one factor. What the
 * provider says comes first.
 */
export function getAcrAndAmr(
  { factorTime, factorMethod }: Pick<SessionFacts, "factorTime" | "factorMethod">,
  { acr, amr = [] }: Pick<Partial<SessionInfo>, "acr" | "amr"> = {},
): Pick<Partial<SessionInfo>, "acr" | "amr"> {
  if (factorTime === undefined) return { acr, amr: amr.length > 0 ? amr : undefined }
  const own = factorMethod && (factorMethod === "passkey" ? ["pop", "user"] : ["otp"])
  return { acr: acr ?? "2", amr: [...new Set([...amr, ...(own ?? []), "mfa"])] }
}

/** How far the clock of the server that started the session may be ahead, in seconds. */
const clockTolerance = 60

const unknownTimeHint =
  "Pass the session as `getSession` returned it, not a copy. For database sessions, also set `session.absoluteTimeout` or " +
  "`session.records`, and sign in again."

/**
 * Checks that the user of a session authenticated recently, at the provider or with you.
 *
 * @param session as `getSession` returned it; or an object with `createdAt`, a `Date`, or `signedInAt`, in seconds
 * @param seconds how long ago that may be
 * @throws SessionNotFresh if it was longer ago, or is not known, or there is no session
 * @example
 * assertFreshSession(session, 600)
 */
export function assertFreshSession<SessionType extends object>(
  session: SessionType | null | undefined,
  seconds: number,
): asserts session is SessionType {
  const age = getAuthenticationAge(session)
  if (isRecent(age, seconds)) return
  const expected = `a session whose user authenticated at most ${seconds} seconds ago`
  if (!session) throw new SessionNotFresh({ expected, received: "no session" })
  if (Number.isNaN(age))
    throw new SessionNotFresh({
      expected,
      received: "a session without this time",
      hint: unknownTimeHint,
    })
  throw new SessionNotFresh({ expected, received: `${Math.floor(age)} seconds ago` })
}

/** Returns how many seconds ago the user proved a second factor; NaN if they did not in this session. */
export function getFactorAge(session: object | null | undefined): number {
  const { factorTime } = (session && getSessionInfo(session as Session)) || {}
  return factorTime ? (Date.now() - factorTime.getTime()) / 1000 : Number.NaN
}

export const getCurrentSecond = (): number => Math.floor(Date.now() / 1000)

/** Whether an authentication so many seconds ago is recent enough. */
export const isRecent = (age: number, maxAge: number): boolean =>
  age <= maxAge && age >= -clockTolerance

/** Returns how many seconds ago the user authenticated; NaN if that is not known. */
export function getAuthenticationAge(session: object | null | undefined): number {
  if (!session) return Number.NaN
  // What the library knows about its own sessions comes before their members.
  const { authTime } = getSessionInfo(session as Session) ?? {}
  const { createdAt, signedInAt }: SessionStart = session
  const date: unknown = authTime ?? createdAt
  const seconds: unknown = isDate(date) ? date.getTime() / 1000 : signedInAt
  return typeof seconds === "number" ? Date.now() / 1000 - seconds : Number.NaN
}
