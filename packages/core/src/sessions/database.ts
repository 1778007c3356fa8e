/** Sessions that live in a database; the cookie holds their token. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import type { Store } from "../config/store.ts"
import { SessionTokenError, SignOutError } from "../errors.ts"
import { deleteChunks } from "../http/chunks.ts"
import { asideLimit, within } from "../http/deadline.ts"
import type { Visit } from "../http/exchange.ts"
import type { Admitted } from "../proof.ts"
import type { Session } from "../types.ts"
import { given } from "./given.ts"
import type { Ended, SessionRead, Sessions, SessionUpdate, ValidSession } from "./strategy.ts"

type Config = Pick<
  ResolvedConfig,
  "session" | "callbacks" | "hasSessionCallback" | "emit" | "log"
> & {
  readonly store: Store
}

type SessionMessage = Parameters<ResolvedConfig["callbacks"]["session"]>[0]
type ValidRow = Extract<ValidSession, { strategy: "database" }>

/** Longest token that is looked up, in characters. */
const longestToken = 4096

export function createDatabaseSessions(config: Config): Sessions {
  return {
    read: (visit) => readSession(visit, config),
    confirm: (visit) => readSession(visit, config),
    async binding(visit) {
      return tokenOf(visit) ?? ""
    },
    ownerOf: (session) => (session.strategy === "database" ? session.user.id : undefined),
    start: (visit, admitted) => start(visit, admitted, config),
    present: (visit, session, update) =>
      session.strategy === "database"
        ? present(visit, session, update, config)
        : Promise.resolve(null),
    end: (visit) => end(visit, config),
    clear,
  }
}

function tokenOf(visit: Visit): string | undefined {
  return visit.cookies.get(visit.table.sessionToken.name)
}

/** Deletes the chunks of a sealed session too, which the strategy before this one may have left. */
function clear(visit: Visit): void {
  deleteChunks(visit.jar, visit.cookies, visit.table.sessionToken)
}

async function readSession(visit: Visit, config: Config): Promise<SessionRead> {
  const token = tokenOf(visit)
  if (token === undefined) return { kind: "none" }
  if (token.length > longestToken) {
    return { kind: "invalid", reason: "the token is too long", keep: false }
  }
  try {
    const found = await config.store.getSessionAndUser(token)
    // A database without foreign keys may keep the session of a user who is gone: it is nobody's.
    if (!found?.session || !found.user) {
      return { kind: "invalid", reason: "no session has this token", keep: false }
    }
    const { session, user } = found
    const left = session.expires.getTime() - Date.now()
    if (Number.isNaN(left)) throw new TypeError("`expires` of the stored session is no date")
    if (left <= 0) {
      await remove(token, config)
      return { kind: "expired" }
    }
    const { maxAge, updateAge } = config.session
    const due = updateAge === 0 || left <= (maxAge - updateAge) * 1000
    return { kind: "valid", strategy: "database", session, user, due }
  } catch (cause) {
    const error = new SessionTokenError("The session could not be looked up.", { cause })
    return { kind: "unavailable", error }
  }
}

/**
 * Removes a row that nobody needs any more; that it stays would be untidy, not unsafe. A database that hangs here must
 * not keep back the cookie of the session that took its place.
 */
async function remove(token: string, config: Config): Promise<void> {
  try {
    await within(asideLimit, config.store.deleteSession(token), tooSlow)
  } catch (error) {
    config.log.error(error)
  }
}

async function start(visit: Visit, admitted: Admitted, config: Config): Promise<void> {
  const userId = admitted.user.id
  if (userId === undefined) throw new TypeError("A database session needs the id of a stored user")
  const old = tokenOf(visit)
  const session = await config.store.createSession({
    sessionToken: newToken(config),
    userId,
    expires: expiry(config),
  })
  const { sessionToken, expires } = session
  visit.jar.set(visit.table.sessionToken, sessionToken, { expires })
  if (old !== undefined && old.length <= longestToken) await remove(old, config)
}

const tooSlow = () =>
  new SessionTokenError("The old session was not deleted in time.", { after: asideLimit })

function newToken(config: Config): string {
  const token: unknown = config.session.generateSessionToken()
  if (typeof token === "string" && token !== "" && token.length <= longestToken) return token
  throw new TypeError("`session.generateSessionToken` must return text, and not later but at once")
}

function expiry(config: Config): Date {
  return new Date(Date.now() + config.session.maxAge * 1000)
}

async function present(
  visit: Visit,
  read: ValidRow,
  update: SessionUpdate,
  config: Config,
): Promise<Session | null> {
  const renewed = read.due || update ? await renew(visit, read, config) : undefined
  if (renewed === "gone") {
    clear(visit)
    return null
  }
  const expires = renewed ?? read.session.expires
  try {
    const answer = await config.callbacks.session(messageOf(read, expires, update))
    // Ours gives no token out, so there is nothing to look for.
    const session = config.hasSessionCallback
      ? given(answer, read.session.sessionToken)
      : given(answer)
    if (session === null) return null
    // Strategy `database` has no token: the declared message is that of both strategies.
    await config.emit("session", { session } as Parameters<typeof config.emit<"session">>[1])
    return session
  } catch (cause) {
    throw new SessionTokenError("A callback failed while the session was checked.", { cause })
  }
}

/** Extends a session. When that fails it is still the session it was; a sign-out meanwhile ended it. */
async function renew(
  visit: Visit,
  read: ValidRow,
  config: Config,
): Promise<Date | "gone" | undefined> {
  const { sessionToken } = read.session
  const expires = expiry(config)
  try {
    const updated = await config.store.updateSession({ sessionToken, expires })
    if (updated === null) return "gone"
  } catch (error) {
    config.log.error(error)
    return undefined
  }
  visit.jar.set(visit.table.sessionToken, sessionToken, { expires })
  return expires
}

/** What the `session` callback gets. */
function messageOf({ session: stored, user }: ValidRow, expires: Date, update: SessionUpdate) {
  const updated = update && { newSession: update.data, trigger: "update" as const }
  // `expires` is a Date here, as in the contract; it becomes text when the answer is written.
  const session = { ...stored, expires, user }
  return { session, user, ...updated } as unknown as SessionMessage
}

async function end(visit: Visit, config: Config): Promise<Ended | undefined> {
  const token = tokenOf(visit)
  if (token === undefined) return undefined
  if (token.length > longestToken) {
    clear(visit)
    return undefined
  }
  try {
    const session = await config.store.deleteSession(token)
    clear(visit)
    return { session: session ?? null }
  } catch (cause) {
    throw new SignOutError("The session could not be deleted.", { cause })
  }
}
