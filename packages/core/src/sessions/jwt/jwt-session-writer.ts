/** Starts, changes and ends sessions in a sealed cookie. */
import type { CoreServices } from "../../config/core-services.ts"
import { isChunkRepeated, listChunkedValues } from "../../http/cookie-chunks.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { JWT } from "../../types.ts"
import { computeTokenEnd, createSessionFacts, toFactsClaim } from "../session-facts.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  hasSeveralUsers,
  listSessionCookieValues,
  readContinuedFacts,
  type SessionReadResult,
  type SessionWriter,
} from "../session-strategy.ts"
import { callJwtCallback, type JwtParams } from "./jwt-callback.ts"
import { getCurrentSecond, getSignOutTime, type JwtSessionReader } from "./jwt-session-reader.ts"
import { revalidateToken } from "./update-session.ts"
import { writeToken } from "./write-token.ts"

// Only applications that record sessions load it.
const loadRecords = () => import("../records/sealed-sessions.ts")

export class JwtSessionWriter implements SessionWriter {
  readonly #services: CoreServices
  readonly #reader: JwtSessionReader

  constructor(services: CoreServices, reader: JwtSessionReader) {
    this.#services = services
    this.#reader = reader
  }

  async hasSeveralUsers(context: SessionContext): Promise<boolean> {
    const candidates = listSessionCookieValues(context, listChunkedValues)
    return (
      isChunkRepeated(context.cookies, context.cookieDefinitions.sessionToken) ||
      hasSeveralUsers(candidates, (candidate) => this.#reader.readCandidate(context, candidate))
    )
  }

  async revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    const read = await this.#reader.readSession(context)
    if (read.kind !== "valid") return read
    try {
      const token = await revalidateToken(this.#services, context, read.token)
      return token === null ? { kind: "expired" } : { ...read, token }
    } catch (cause) {
      const { createSessionError } = await import("../session-failures.ts")
      return { kind: "unavailable", error: createSessionError(cause) }
    }
  }

  async startSession(context: SessionContext, signInResult: SignInResult): Promise<void> {
    const { config } = this.#services
    const { account, profile, user, isNewUser, isAddedAccount } = signInResult
    const params: JwtParams = {
      ...omitUndefined({ account, profile, user, isNewUser }),
      token: omitUndefined({
        name: user.name,
        email: user.email,
        picture: user.image,
        // Some databases use numbers as ids.
        sub: user.id === undefined ? undefined : String(user.id),
      }),
      trigger: isNewUser ? "signUp" : "signIn",
    }
    // The clock of the server that ended the last session may be ahead.
    const continued = isAddedAccount ? await readContinuedFacts(this.#reader, context) : undefined
    const newFacts = createSessionFacts(signInResult, config, continued)
    const signedInAt = continued?.createdAt ?? Math.max(getCurrentSecond(), getSignOutTime(context))
    if (config.session.providerTokens) {
      const { collectProviderTokens } = await import("./provider-tokens.ts")
      const read = await this.#reader.readSession(context)
      params.token["providerTokens"] = collectProviderTokens(read, signInResult)
    }
    const records = config.session.records && (await loadRecords())
    const facts = records
      ? await records.addUserFacts(this.#services, signInResult, newFacts)
      : newFacts
    const token = await callJwtCallback(config, context, params, signedInAt, toFactsClaim(facts))
    if (token === null) deleteSessionCookie(context)
    else await writeToken(this.#services, context, token, false)
    if (!records) return
    const end = token ? computeTokenEnd(config, token) : undefined
    const old = await this.#reader.readSession(context)
    await records.replaceSealedSession(this.#services, context, signInResult, facts, end, old)
  }

  replaceToken(context: SessionContext, token: JWT): Promise<void> {
    return writeToken(this.#services, context, token, true)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const { session } = this.#services.config
    const read = await this.#reader.readSession(context)
    if (read.kind === "none") return undefined
    if (session.records) await (await loadRecords()).endSealedSession(this.#services, read)
    deleteSessionCookie(context)
    const { signedInAt = 0 } = read.kind === "valid" ? read.token : {}
    const { jar, cookieDefinitions } = context
    const signOutTime = Math.max(getCurrentSecond(), signedInAt) + 1
    jar.set(cookieDefinitions.signedOut, `${signOutTime}`, { maxAge: session.maxAge })
    return read.kind === "valid" ? { token: read.token } : undefined
  }
}
