import { randomBytes } from "node:crypto"
import type { SigningKey } from "./keys.ts"
import { signingKey } from "./keys.ts"
import type { Misbehaviour } from "./misbehaviour.ts"
import type {
  ClientAuthMethod,
  Endpoints,
  ProviderOptions,
  RecordedRequest,
  Responder,
  ScriptedUser,
} from "./types.ts"

/** What a person approved. */
export interface Grant {
  readonly user: ScriptedUser
  readonly scope: string
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

/** Everything that a provider remembers. */
export interface ProviderState {
  readonly id: string
  readonly dialect: "oidc" | "social"
  readonly refreshTokens: "kept" | "rotated" | "none"
  readonly redirectUris: readonly string[] | undefined
  readonly firstUser: ScriptedUser
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethods: readonly ClientAuthMethod[]
  /** With what the client signs its assertions (`private_key_jwt`). */
  readonly clientKey: SigningKey
  readonly foreignKey: SigningKey
  issuer: string
  endpoints: Endpoints
  /** Signs ID tokens. */
  key: SigningKey
  /** What `/jwks` shows. */
  announced: readonly SigningKey[]
  user: ScriptedUser
  faults: Misbehaviour
  readonly responders: Map<string, Responder>
  readonly requests: RecordedRequest[]
  readonly authorizationRequests: URLSearchParams[]
  readonly codes: Map<string, Grant>
  readonly accessTokens: Map<string, Grant>
  readonly refreshTokenGrants: Map<string, Grant>
  readonly assertions: Set<string>
  /** All that must never show up in a log, a page or a URL of the application. */
  readonly secrets: string[]
}

const ada: ScriptedUser = {
  sub: "ada",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  picture: "https://idp.example/ada.png",
}

/** Sets a provider up. */
export async function newState(options: ProviderOptions): Promise<ProviderState> {
  const { issuer = "https://idp.example", dialect = "oidc", alg = "RS256", user = ada } = options
  const clientSecret = options.clientSecret ?? "scriptedClientSecretThatNobodyShouldEverSee"
  const confidential = [
    "client_secret_basic",
    "client_secret_post",
    "client_secret_jwt",
    "private_key_jwt",
  ] as const
  const key = await signingKey(issuer, alg)
  return {
    id: options.id ?? "scripted",
    dialect,
    refreshTokens: options.refreshTokens ?? "kept",
    redirectUris: options.redirectUris,
    firstUser: user,
    clientId: options.clientId ?? "latchkey-client",
    clientSecret,
    authMethods: options.authMethods ?? confidential,
    clientKey: await signingKey("the client", "ES256"),
    foreignKey: await signingKey("somebody else", alg),
    issuer,
    endpoints: endpointsOf(issuer, dialect),
    key,
    announced: [key],
    user,
    faults: {},
    responders: new Map(),
    requests: [],
    authorizationRequests: [],
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokenGrants: new Map(),
    assertions: new Set(),
    secrets: [clientSecret],
  }
}

/** Makes a random text for a code or token, and remembers it as a secret. */
export function secretText(state: ProviderState, prefix: string): string {
  const text = `${prefix}${randomBytes(24).toString("base64url")}`
  state.secrets.push(text)
  return text
}

/** Gives the URLs of a provider with this issuer. */
export function endpointsOf(issuer: string, dialect: "oidc" | "social"): Endpoints {
  const base = issuer.replace(/\/$/, "")
  return {
    discovery: `${base}/.well-known/openid-configuration`,
    jwks: `${base}/jwks`,
    authorize: `${base}/authorize`,
    token: `${base}/token`,
    userinfo: dialect === "social" ? `${base}/info?format=json` : `${base}/userinfo`,
  }
}
