/** Sessions that live in a sealed cookie. */
import type { AdapterSession, AdapterUser } from "../adapters.ts"
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { encode, readToken } from "../crypto/jwt.ts"
import { JWTSessionError } from "../errors.ts"
import { deleteChunks, keepChunks, readChunks, writeChunks } from "../http/chunks.ts"
import type { Visit } from "../http/exchange.ts"
import type { Admitted } from "../proof.ts"
import type { JWT, Session } from "../types.ts"
import { given } from "./given.ts"
import type { Ended, SessionRead, Sessions, SessionUpdate, ValidSession } from "./strategy.ts"

type Config = Pick<
  ResolvedConfig,
  "jwt" | "session" | "callbacks" | "hasJwtCallback" | "emit" | "log"
>

type ValidToken = Extract<ValidSession, { strategy: "jwt" }>

export function createJwtSessions(config: Config): Sessions {
  // A request asks more than once: for the binding of a form, and for the session itself.
  const reads = new WeakMap<Visit, Promise<SessionRead>>()
  const sessions: Sessions = {
    read(visit) {
      const known = reads.get(visit)
      if (known) return known
      const read = readSession(visit, config)
      reads.set(visit, read)
      return read
    },
    async confirm(visit) {
      const read = await sessions.read(visit)
      if (read.kind !== "valid" || read.strategy !== "jwt") return read
      return confirmed(visit, read, config)
    },
    async binding(visit) {
      const read = await sessions.read(visit)
      return (read.kind === "valid" && sessions.ownerOf(read)) || ""
    },
    ownerOf: (session) => (session.strategy === "jwt" ? ownerOf(session.token) : undefined),
    start: (visit, admitted) => start(visit, admitted, config),
    async present(visit, session, update) {
      if (session.strategy !== "jwt") return null
      return present(visit, session, update, config)
    },
    async end(visit): Promise<Ended | undefined> {
      const read = await sessions.read(visit)
      if (read.kind === "none") return undefined
      clear(visit)
      return read.kind === "valid" && read.strategy === "jwt" ? { token: read.token } : undefined
    },
    clear,
  }
  return sessions
}

function ownerOf(token: JWT): string {
  return token.sub ?? (typeof token.email === "string" ? token.email : "")
}

function clear(visit: Visit): void {
  deleteChunks(visit.jar, visit.cookies, visit.table.sessionToken)
}

async function readSession(visit: Visit, config: Config): Promise<SessionRead> {
  const { name } = visit.table.sessionToken
  const sealed = readChunks(visit.cookies, name)
  if (sealed === undefined) return { kind: "none" }
  if (config.jwt.decode) return readForeign(sealed, name, config)
  const read = await readToken(sealed, config.jwt.secrets, name)
  if (read.kind === "invalid") return { ...read, keep: false }
  const due = isDue(read.claims, config) || !read.current
  return { kind: "valid", strategy: "jwt", token: read.claims, plaintext: read.plaintext, due }
}

/** A token that the application's own `decode` understands. */
async function readForeign(sealed: string, salt: string, config: Config): Promise<SessionRead> {
  try {
    const token = await config.jwt.decode?.({ ...codecOptions(config), token: sealed, salt })
    if (!isClaims(token)) {
      return { kind: "invalid", reason: "`jwt.decode` does not accept it", keep: false }
    }
    // Its own text of the claims is unknown: this one only serves to see changes.
    const plaintext = JSON.stringify(token)
    return { kind: "valid", strategy: "jwt", token, plaintext, due: isDue(token, config) }
  } catch (cause) {
    config.log.error(new JWTSessionError("`jwt.decode` failed.", { cause }))
    return { kind: "invalid", reason: "`jwt.decode` failed", keep: true }
  }
}

function isDue(token: JWT, config: Config): boolean {
  const issued = token.iat ?? (token.exp ?? 0) - config.jwt.maxAge
  return Math.floor(Date.now() / 1000) - issued >= config.session.updateAge
}

function codecOptions(config: Config) {
  const { written, secrets, maxAge } = config.jwt
  return { ...written, secret: written.secret ?? [...secrets], maxAge }
}

async function write(visit: Visit, token: JWT, config: Config): Promise<void> {
  const cookie = visit.table.sessionToken
  const { secrets, maxAge } = config.jwt
  const sealed = config.jwt.encode
    ? await config.jwt.encode({ ...codecOptions(config), token, salt: cookie.name })
    : await encode({ token, secret: secrets, salt: cookie.name, maxAge })
  const expires = new Date(Date.now() + config.session.maxAge * 1000)
  writeChunks(visit.jar, visit.cookies, cookie, sealed, { expires })
}

/** Also where the request is refused: what a callback changed may exist nowhere else, such as a new refresh token. */
async function writeToKeep(visit: Visit, token: JWT, config: Config): Promise<void> {
  await write(visit, token, config)
  keepChunks(visit.jar, visit.table.sessionToken)
}

async function start(visit: Visit, admitted: Admitted, config: Config): Promise<void> {
  const { user, account, profile, isNewUser } = admitted
  const token = await config.callbacks.jwt({
    token: {
      name: user.name ?? null,
      email: user.email ?? null,
      picture: user.image ?? null,
      // Some databases count their users, whatever the contract says of ids.
      ...(user.id === undefined ? {} : { sub: String(user.id) }),
    },
    user,
    account,
    ...(profile ? { profile } : {}),
    ...(isNewUser === undefined ? {} : { isNewUser }),
    trigger: isNewUser ? "signUp" : "signIn",
  })
  if (token === null) clear(visit)
  else await write(visit, claims(token), config)
}

function isClaims(value: unknown): value is JWT {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A callback that forgets to return something must not end in a session for nobody. */
function claims(answer: unknown): JWT {
  if (isClaims(answer)) return answer
  throw new TypeError("The `jwt` callback must return the token, or null to end the session")
}

async function present(
  visit: Visit,
  read: ValidToken,
  update: SessionUpdate,
  config: Config,
): Promise<Session | null> {
  try {
    const token = await refreshed(read, update, config)
    if (token === null) {
      clear(visit)
      return null
    }
    const text = textOf(read, token, config)
    const changed = text !== read.plaintext
    const renew = update !== undefined || read.due || changed
    const expires = expiryOf(read.token, renew, config)
    // The other callback may fail. An update that it refuses leaves the session as it was.
    const isEarly = changed && !update
    if (isEarly) await writeToKeep(visit, token, config)
    const session = await publicSession(token, expires, update, config)
    // It may have changed the token, too.
    if (isEarly ? textOf(read, token, config) !== text : renew) {
      await (isEarly ? writeToKeep : write)(visit, token, config)
    }
    if (session !== null) await config.emit("session", { session, token })
    return session
  } catch (cause) {
    throw faultOf(cause)
  }
}

async function confirmed(visit: Visit, read: ValidToken, config: Config): Promise<SessionRead> {
  try {
    const copy = { ...read, token: structuredClone(read.token) }
    const token = await refreshed(copy, undefined, config)
    if (token === null) return { kind: "expired" }
    if (textOf(read, token, config) !== read.plaintext) await writeToKeep(visit, token, config)
    return read
  } catch (cause) {
    return { kind: "unavailable", error: faultOf(cause) }
  }
}

function faultOf(cause: unknown): JWTSessionError {
  return new JWTSessionError("A callback failed, or the session could not be sealed.", { cause })
}

async function refreshed(
  read: ValidToken,
  update: SessionUpdate,
  config: Config,
): Promise<JWT | null> {
  if (!config.hasJwtCallback) return read.token
  const situation = update
    ? ({ trigger: "update", session: update.data } as const)
    : { session: undefined }
  // At an access there is no user: the declared parameters describe a sign-in, as in the contract.
  const parameters = { token: read.token, ...situation } as Parameters<
    ResolvedConfig["callbacks"]["jwt"]
  >[0]
  const answer = await config.callbacks.jwt(parameters)
  return answer === null ? null : claims(answer)
}

/** The claims as text, as they are after the callback. */
function textOf(read: ValidToken, token: JWT, config: Config): string {
  return config.hasJwtCallback ? JSON.stringify(token) : read.plaintext
}

function expiryOf(token: JWT, renewed: boolean, config: Config): string {
  // The cookie lives for the one, the token in it for the other.
  const lifetime = Math.min(config.session.maxAge, config.jwt.maxAge)
  const time = renewed || !token.exp ? Date.now() + lifetime * 1000 : token.exp * 1000
  return new Date(time).toISOString()
}

async function publicSession(
  token: JWT,
  expires: string,
  update: SessionUpdate,
  config: Config,
): Promise<Session | null> {
  const { name, email, picture } = token
  const user = { name: name ?? null, email: email ?? null, image: picture ?? null }
  // Strategy `jwt` knows no stored session and user: the declared parameters are those of both strategies.
  const session = { user, expires } as unknown as Session & AdapterSession & { user: AdapterUser }
  const updated = update ? { newSession: update.data, trigger: "update" as const } : {}
  const answer = await config.callbacks.session({ session, token, ...updated } as Parameters<
    ResolvedConfig["callbacks"]["session"]
  >[0])
  return given(answer)
}
