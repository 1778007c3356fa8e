/** Codes and access tokens of the social provider (RFC 6749 sections 4.1.3 and 5). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { OAuthClient } from "../shared/client.ts"
import type { AuthorizationRequest } from "./authorization.ts"
import type { SocialUser } from "./users.ts"

interface TokenResponse {
  readonly status: number
  readonly body: Readonly<Record<string, string | number>>
}

export interface TokenStore {
  /** Returns a code that is valid once, for a minute. */
  issueCode(request: AuthorizationRequest, user: SocialUser): string
  /** Handles a token request. */
  exchange(authorization: string | undefined, form: URLSearchParams): TokenResponse
  /** Returns the user of an access token. */
  findUser(authorization: string | undefined): SocialUser | undefined
}

interface IssuedToken {
  readonly user: SocialUser
  readonly expiresAt: number
}

type AuthorizationCode = IssuedToken & AuthorizationRequest

const codeLifetime = 60
const tokenLifetime = 3600
/** Codes and tokens that are stored, each. */
const maxEntries = 1000

export function createTokenStore(client: OAuthClient): TokenStore {
  const codes = new Map<string, AuthorizationCode>()
  const accessTokens = new Map<string, IssuedToken>()
  return {
    issueCode: (request, user) =>
      storeEntry(codes, { ...request, user, expiresAt: secondsFromNow(codeLifetime) }),
    exchange(authorization, form) {
      if (!isClientAuthenticated(authorization, client))
        return createErrorResponse("invalid_client", 401)
      if (form.get("grant_type") !== "authorization_code") {
        return createErrorResponse("unsupported_grant_type")
      }
      const name = form.get("code") ?? ""
      const code = codes.get(name)
      codes.delete(name)
      if (!code || code.expiresAt < Date.now()) return createErrorResponse("invalid_grant")
      if (form.get("redirect_uri") !== client.redirectUri)
        return createErrorResponse("invalid_grant")
      if (computeCodeChallenge(form.get("code_verifier") ?? "") !== code.challenge) {
        return createErrorResponse("invalid_grant")
      }
      const { user, scope } = code
      const access_token = storeEntry(accessTokens, {
        user,
        expiresAt: secondsFromNow(tokenLifetime),
      })
      const body = { access_token, token_type: "bearer", expires_in: tokenLifetime, scope }
      return { status: 200, body }
    },
    findUser(authorization) {
      const [, token = ""] = /^(?:Bearer|OAuth) (\S+)$/i.exec(authorization ?? "") ?? []
      const issued = accessTokens.get(token)
      return issued && issued.expiresAt > Date.now() ? issued.user : undefined
    },
  }
}

function storeEntry<T>(entries: Map<string, T>, entry: T): string {
  const name = randomBytes(24).toString("base64url")
  entries.set(name, entry)
  const [oldest] = entries.keys()
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
  return name
}

function secondsFromNow(seconds: number): number {
  return Date.now() + seconds * 1000
}

function createErrorResponse(error: string, status = 400): TokenResponse {
  return { status, body: { error } }
}

/** RFC 7636 section 4.2. */
function computeCodeChallenge(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url")
}

/** `client_secret_basic`: both parts are encoded as in a form (RFC 6749 section 2.3.1). */
function isClientAuthenticated(authorization: string | undefined, client: OAuthClient): boolean {
  const [, encoded = ""] = /^Basic (\S+)$/i.exec(authorization ?? "") ?? []
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString().split(":")
  const credentials = new URLSearchParams(`id=${id}&secret=${secret}`)
  return (
    isEqual(credentials.get("id") ?? "", client.id) &&
    isEqual(credentials.get("secret") ?? "", client.secret)
  )
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
