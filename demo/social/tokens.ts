/** Codes and access tokens of the social provider (RFC 6749 sections 4.1.3 and 5). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Client } from "../shared/client.ts"
import type { AuthorizationRequest } from "./authorization.ts"
import type { Person } from "./people.ts"

/** What the token endpoint answers. */
interface TokenAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, string | number>>
}

export interface Tokens {
  /** A code that is good once, for a minute. */
  issueCode(request: AuthorizationRequest, person: Person): string
  /** Answers a token request. */
  exchange(authorization: string | undefined, form: URLSearchParams): TokenAnswer
  /** Whose access token it is. */
  personOf(authorization: string | undefined): Person | undefined
}

interface Issued {
  readonly person: Person
  readonly until: number
}

type Code = Issued & AuthorizationRequest

const codeLifetime = 60
const tokenLifetime = 3600
/** Most codes, and most tokens, that are kept. */
const most = 1000

export function createTokens(client: Client): Tokens {
  const codes = new Map<string, Code>()
  const accessTokens = new Map<string, Issued>()
  return {
    issueCode: (request, person) =>
      keep(codes, { ...request, person, until: inSeconds(codeLifetime) }),
    exchange(authorization, form) {
      if (!isClient(authorization, client)) return refused("invalid_client", 401)
      if (form.get("grant_type") !== "authorization_code") {
        return refused("unsupported_grant_type")
      }
      const name = form.get("code") ?? ""
      const code = codes.get(name)
      codes.delete(name)
      if (!code || code.until < Date.now()) return refused("invalid_grant")
      if (form.get("redirect_uri") !== client.redirectUri) return refused("invalid_grant")
      if (challengeOf(form.get("code_verifier") ?? "") !== code.challenge) {
        return refused("invalid_grant")
      }
      const { person, scope } = code
      const access_token = keep(accessTokens, { person, until: inSeconds(tokenLifetime) })
      const body = { access_token, token_type: "bearer", expires_in: tokenLifetime, scope }
      return { status: 200, body }
    },
    personOf(authorization) {
      const [, token = ""] = /^(?:Bearer|OAuth) (\S+)$/i.exec(authorization ?? "") ?? []
      const issued = accessTokens.get(token)
      return issued && issued.until > Date.now() ? issued.person : undefined
    },
  }
}

function keep<T>(entries: Map<string, T>, entry: T): string {
  const name = randomBytes(24).toString("base64url")
  entries.set(name, entry)
  const [oldest] = entries.keys()
  if (entries.size > most && oldest !== undefined) entries.delete(oldest)
  return name
}

function inSeconds(seconds: number): number {
  return Date.now() + seconds * 1000
}

function refused(error: string, status = 400): TokenAnswer {
  return { status, body: { error } }
}

/** RFC 7636 section 4.2. */
function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url")
}

/** `client_secret_basic`: both parts are encoded as in a form (RFC 6749 section 2.3.1). */
function isClient(authorization: string | undefined, client: Client): boolean {
  const [, encoded = ""] = /^Basic (\S+)$/i.exec(authorization ?? "") ?? []
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString().split(":")
  const sent = new URLSearchParams(`id=${id}&secret=${secret}`)
  return same(sent.get("id") ?? "", client.id) && same(sent.get("secret") ?? "", client.secret)
}

/** Compares in a time that tells nothing of either text. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
