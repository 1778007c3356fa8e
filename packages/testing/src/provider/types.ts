/** Types of the scripted provider. */

/** The endpoint of a request. `elsewhere` is a host or path that the provider does not have. */
export type EndpointName =
  | "discovery"
  | "jwks"
  | "authorize"
  | "token"
  | "userinfo"
  | "endSession"
  | "elsewhere"

/** How a client authenticates at the token endpoint (OpenID Connect Core 9). */
export type ClientAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none"

/** Algorithms for signing ID tokens. */
export type SigningAlgorithm = "RS256" | "ES256" | "PS256"

/** Claims of an ID token, or members of a JSON response. */
export type Claims = Record<string, unknown>

/** A user of the provider. Additional members become claims. */
export interface ScriptedUser {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  picture?: string
  [claim: string]: unknown
}

/** A request to the provider. */
export interface RecordedRequest {
  readonly endpoint: EndpointName
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** The form fields of the body; empty if there is no body. */
  readonly body: URLSearchParams
  /** The body as received. */
  readonly text: string
  /** How the client authenticated at the token endpoint; absent if it did not. */
  readonly clientAuth?: ClientAuthMethod
  /** Aborted when the caller aborts the request. */
  readonly signal: AbortSignal
}

/** Responds instead of the provider. `honest` returns the provider's response; returning `undefined` uses it, too. */
export type Responder = (
  request: RecordedRequest,
  createDefaultResponse: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>

/** Options of the provider and its client. */
export interface ScriptedProviderOptions {
  /**
   * Id of the provider objects.
   * @defaultValue "scripted"
   */
  id?: string
  /**
   * An https URL, with or without a path.
   * @defaultValue "https://idp.example"
   */
  issuer?: string
  /**
   * The protocol: OpenID Connect, or plain OAuth as `socialidp` (no discovery, no ID token).
   * @defaultValue "oidc"
   */
  dialect?: "oidc" | "social"
  /** The id of the only client. @defaultValue "latchkey-client" */
  clientId?: string
  /** The secret of the client. @defaultValue a text of 43 letters and digits */
  clientSecret?: string
  /**
   * Methods that the token endpoint accepts.
   * @defaultValue all but "none"
   */
  authMethods?: readonly ClientAuthMethod[]
  /** The only accepted redirect URIs. @defaultValue any */
  redirectUris?: readonly string[]
  /** How ID tokens are signed. @defaultValue "RS256" */
  alg?: SigningAlgorithm
  /**
   * Whether a refresh replaces the refresh token, or whether none are issued.
   * @defaultValue "kept"
   */
  refreshTokens?: "kept" | "rotated" | "none"
  /** The initial user. */
  user?: ScriptedUser
}

/** The current URLs of the provider. `listen` changes them. */
export interface Endpoints {
  readonly discovery: string
  readonly jwks: string
  readonly authorize: string
  readonly token: string
  readonly userinfo: string
  readonly endSession: string
}
