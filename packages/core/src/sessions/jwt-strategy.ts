/** Sessions in a sealed cookie. */
import { isChunkRepeated, listChunkedValues } from "../http/cookie-chunks.ts"
import type { SessionContext } from "../http/session-context.ts"
import { omitUndefined } from "../objects.ts"
import type { SignInResult } from "../proven-identity.ts"
import type { JWT } from "../types.ts"
import {
  createSessionError,
  getCurrentSecond,
  getSignOutTime,
  type JwtParams,
  JwtSessionReader,
} from "./jwt-session-reader.ts"
import {
  readProviderTokens,
  type SessionProviderTokens,
  toSessionTokens,
} from "./provider-tokens.ts"
import { createSessionFacts, toFactsClaim } from "./session-facts.ts"
import {
  deleteSessionCookie,
  type EndedSession,
  hasSeveralUsers,
  listSessionCookieValues,
  readContinuedFacts,
  type SessionReadResult,
  type SessionStrategy,
} from "./session-strategy.ts"

// Only applications that record sessions load it.
const loadRecords = () => import("./records/sealed-sessions.ts")

/** Reads, starts and ends sessions. */
export class JwtStrategy extends JwtSessionReader implements SessionStrategy {
  async getSessionBinding(context: SessionContext): Promise<string> {
    const read = await this.readSession(context)
    return read.kind === "valid" ? read.userId : ""
  }

  async hasSeveralUsers(context: SessionContext): Promise<boolean> {
    const candidates = listSessionCookieValues(context, listChunkedValues)
    return (
      isChunkRepeated(context.cookies, context.cookieDefinitions.sessionToken) ||
      hasSeveralUsers(candidates, this.createReader(context))
    )
  }

  async revalidateSession(context: SessionContext): Promise<SessionReadResult> {
    const read = await this.readSession(context)
    if (read.kind !== "valid") return read
    try {
      const token = await this.updateToken(context, structuredClone(read.token), undefined)
      if (token === null) return { kind: "expired" }
      if (this.serialize(token) !== this.serialize(read.token))
        await this.renewToken(context, token, true)
      return { ...read, token }
    } catch (cause) {
      return { kind: "unavailable", error: createSessionError(cause) }
    }
  }

  async startSession(context: SessionContext, signInResult: SignInResult): Promise<void> {
    const { authentication: _authentication, isAddedAccount, ...result } = signInResult
    const { user, isNewUser } = result
    const params: JwtParams = {
      ...omitUndefined(result),
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
    const continued = isAddedAccount ? await readContinuedFacts(this, context) : undefined
    const newFacts = createSessionFacts(context, signInResult, this.config, continued)
    const signedInAt = continued?.createdAt ?? Math.max(getCurrentSecond(), getSignOutTime(context))
    if (this.config.session.providerTokens)
      params.token["providerTokens"] = await this.#collectProviderTokens(context, signInResult)
    const records = this.config.session.records && (await loadRecords())
    const facts = records
      ? await records.addUserFacts(this.services, signInResult, newFacts)
      : newFacts
    const token = await this.callJwtCallback(context, params, signedInAt, toFactsClaim(facts))
    if (token === null) deleteSessionCookie(context)
    else await this.writeToken(context, token, false)
    if (!records) return
    const end = token ? this.computeEnd(token) : undefined
    const old = await this.readSession(context)
    await records.replaceSealedSession(this.services, context, signInResult, facts, end, old)
  }

  /** Returns the tokens of the sign-in, and those of other providers if the same user was signed in. */
  async #collectProviderTokens(
    context: SessionContext,
    { user, account, profile }: SignInResult,
  ): Promise<SessionProviderTokens> {
    const read = await this.readSession(context)
    const isSameUser = read.kind === "valid" && read.token.sub === String(user.id)
    const others = isSameUser ? readProviderTokens(read.token) : {}
    const isOAuth = account.type === "oauth" || account.type === "oidc"
    return isOAuth ? { ...others, [account.provider]: toSessionTokens(account, profile) } : others
  }

  replaceToken(context: SessionContext, token: JWT): Promise<void> {
    return this.writeToken(context, token, true)
  }

  async endSession(context: SessionContext): Promise<EndedSession | undefined> {
    const read = await this.readSession(context)
    if (read.kind === "none") return undefined
    if (this.config.session.records)
      await (await loadRecords()).endSealedSession(this.services, read)
    deleteSessionCookie(context)
    const { signedInAt = 0 } = read.kind === "valid" ? read.token : {}
    const { jar, cookieDefinitions } = context
    const signOutTime = Math.max(getCurrentSecond(), signedInAt) + 1
    const { maxAge } = this.config.session
    jar.set(cookieDefinitions.signedOut, `${signOutTime}`, { maxAge })
    return read.kind === "valid" ? { token: read.token } : undefined
  }
}
