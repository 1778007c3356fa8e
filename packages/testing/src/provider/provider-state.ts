import { randomBytes } from "node:crypto"
import type { ProviderFaults } from "./provider-faults.ts"
import type { SigningKey } from "./signing-keys.ts"
import { getSigningKey } from "./signing-keys.ts"
import type {
  ClientAuthMethod,
  Endpoints,
  RecordedRequest,
  Responder,
  ScriptedProviderOptions,
  ScriptedUser,
} from "./types.ts"

/** An authorization that a user granted. */
export interface Grant {
  readonly user: ScriptedUser
  readonly scope: string
  readonly redirectUri: string
  readonly nonce: string | undefined
  readonly challenge: string | undefined
}

/** The state of a provider. */
export interface ProviderState {
  readonly id: string
  readonly dialect: "oidc" | "social"
  readonly refreshTokens: "kept" | "rotated" | "none"
  readonly redirectUris: readonly string[] | undefined
  readonly initialUser: ScriptedUser
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethods: readonly ClientAuthMethod[]
  /** Key of the client's assertions (`private_key_jwt`). */
  readonly clientKey: SigningKey
  readonly unrelatedKey: SigningKey
  issuer: string
  endpoints: Endpoints
  /** Signs ID tokens. */
  key: SigningKey
  /** The keys of the `/jwks` endpoint. */
  publishedKeys: readonly SigningKey[]
  user: ScriptedUser
  faults: ProviderFaults
  readonly responders: Map<string, Responder>
  readonly requests: RecordedRequest[]
  readonly authorizationRequests: URLSearchParams[]
  readonly codes: Map<string, Grant>
  readonly accessTokens: Map<string, Grant>
  readonly refreshTokenGrants: Map<string, Grant>
  readonly usedAssertionIds: Set<string>
  /** Everything that must not appear in a log, page or URL of the application. */
  readonly secrets: string[]
}

const defaultUser: ScriptedUser = {
  sub: "ada",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  picture: "https://idp.example/ada.png",
}

/** Creates the state of a provider. */
export async function createProviderState(
  options: ScriptedProviderOptions,
): Promise<ProviderState> {
  const {
    issuer = "https://idp.example",
    dialect = "oidc",
    alg = "RS256",
    user = defaultUser,
  } = options
  const clientSecret = options.clientSecret ?? "scriptedClientSecretThatNobodyShouldEverSee"
  const confidentialMethods = [
    "client_secret_basic",
    "client_secret_post",
    "client_secret_jwt",
    "private_key_jwt",
  ] as const
  const key = await getSigningKey(issuer, alg)
  return {
    id: options.id ?? "scripted",
    dialect,
    refreshTokens: options.refreshTokens ?? "kept",
    redirectUris: options.redirectUris,
    initialUser: user,
    clientId: options.clientId ?? "latchkey-client",
    clientSecret,
    authMethods: options.authMethods ?? confidentialMethods,
    clientKey: await getSigningKey("the client", "ES256"),
    unrelatedKey: await getSigningKey("somebody else", alg),
    issuer,
    endpoints: createEndpoints(issuer, dialect),
    key,
    publishedKeys: [key],
    user,
    faults: {},
    responders: new Map(),
    requests: [],
    authorizationRequests: [],
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokenGrants: new Map(),
    usedAssertionIds: new Set(),
    secrets: [clientSecret],
  }
}

/** Generates a random code or token, and registers it as a secret. */
export function generateSecret(state: ProviderState, prefix: string): string {
  const text = `${prefix}${randomBytes(24).toString("base64url")}`
  state.secrets.push(text)
  return text
}

/** Returns the endpoints of a provider with this issuer. */
export function createEndpoints(issuer: string, dialect: "oidc" | "social"): Endpoints {
  const base = issuer.replace(/\/$/, "")
  return {
    discovery: `${base}/.well-known/openid-configuration`,
    jwks: `${base}/jwks`,
    authorize: `${base}/authorize`,
    token: `${base}/token`,
    userinfo: dialect === "social" ? `${base}/info?format=json` : `${base}/userinfo`,
    endSession: `${base}/logout`,
  }
}
