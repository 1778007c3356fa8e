/**
 * Reads sessions in sealed cookies without the code that signs users in: for a worker or middleware in front of the
 * application. Gives the same answer as `getSession` of `createAuth`.
 */
import type { AuthConfig } from "./config/auth-config.ts"
import { checkSecrets } from "./config/checks/secret-checks.ts"
import { createEventEmitter } from "./config/event-emitter.ts"
import { resolveSessionConfig } from "./config/resolve-session-config.ts"
import type { SessionConfig } from "./config/resolved-config.ts"
import { createHasher } from "./crypto/digest.ts"
import { createTokenKeys } from "./crypto/jwt.ts"
import { getSession } from "./engine/get-session.ts"
import { type AuthError, InvalidOption } from "./errors.ts"
import type { SessionContext } from "./http/session-context.ts"
import type { AuthRequest, GetSessionOptions, SessionResult } from "./latchkey-auth.ts"
import { createLogger } from "./logging/logger.ts"
import { getCurrentSession } from "./sessions/current-session.ts"
import { checkSession } from "./sessions/jwt/check-session.ts"
import type { InferSession, Session } from "./types.ts"

export { getErrorCookies } from "./engine/request-errors.ts"
export { serializeCookie } from "./http/cookies.ts"
export type { AuthRequest, GetSessionOptions, SessionResult } from "./latchkey-auth.ts"
export type { Cookie, InferSession, JWT, Session } from "./types.ts"

/** The options that decide how sessions are read: write them once, and pass them to `createAuth`, too. */
export type SessionReaderConfig = Pick<
  AuthConfig,
  | "callbacks"
  | "cookies"
  | "debug"
  | "events"
  | "jwt"
  | "logger"
  | "secret"
  | "session"
  | "trustHost"
  | "useHostPrefix"
  | "useSecureCookies"
>

/** Reads sessions of the type `SessionType`. */
export interface SessionReader<SessionType = Session> {
  /**
   * Returns the session of a request, and the cookies to set on its response: a session that is renewed, and the
   * deletion of a cookie that is no longer valid.
   *
   * @throws AuthError if the configuration has an error, or the session could not be checked. It may still be valid.
   *   `getErrorCookies` returns the cookies to set on the error response.
   */
  getSession(request: AuthRequest, options?: GetSessionOptions): Promise<SessionResult<SessionType>>
}

/**
 * Creates a reader of sessions with strategy `jwt`. Reads the options once, and no environment variables.
 *
 * Logs the errors of the options, and refuses every request as long as there are any.
 */
export function createSessionReader<Config extends SessionReaderConfig>(
  config: Config,
): SessionReader<InferSession<Config>>
export function createSessionReader(readerConfig: SessionReaderConfig): SessionReader {
  const unchecked = resolveSessionConfig(readerConfig ?? {})
  const config: SessionConfig = { ...unchecked, problems: findReaderErrors(unchecked) }
  const logger = createLogger(config.customLogger, config.debug, config.configuredSecrets)
  for (const problem of config.problems) logger.error(problem)
  const services = {
    config,
    logger,
    emitEvent: createEventEmitter(config.events, logger),
    getTokenKeys: createTokenKeys(config.jwt.secrets),
    tokenHasher: createHasher(config.jwt.secrets),
  }
  const sessions = { checkSession: (context: SessionContext) => checkSession(services, context) }
  const read = (context: SessionContext) => getCurrentSession(context, { ...services, sessions })
  return { getSession: (request, options) => getSession(request, services, read, options) }
}

/** The other options are checked where `createAuth` gets them. With a wrong one, no session is valid. */
function findReaderErrors(config: Omit<SessionConfig, "problems">): AuthError[] {
  const errors = checkSecrets(config)
  const { strategy, records } = config.session
  if (strategy !== "jwt") {
    const expected = "`session.strategy` to be `jwt`, because a reader has no database"
    const hint = "Read the sessions of a database with `createAuth`."
    const option = "session.strategy"
    errors.push(new InvalidOption({ option, expected, received: strategy, hint }))
  }
  // Without a store, the reader would accept revoked sessions.
  if (records && !records.store) {
    const expected = "`session.records.store`, which says which sessions were revoked"
    errors.push(new InvalidOption({ option: "session.records", expected, received: "nothing" }))
  }
  return errors
}
