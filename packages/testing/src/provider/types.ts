/** The words of the scripted provider. */

/** Where a request to the provider went. `elsewhere` is a host or path that the provider does not have. */
export type EndpointName = "discovery" | "jwks" | "authorize" | "token" | "userinfo" | "elsewhere"

/** How a client proved itself at the token endpoint (OpenID Connect Core 9). */
export type ClientAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none"

/** Algorithms that the provider can sign ID tokens with. */
export type SigningAlgorithm = "RS256" | "ES256" | "PS256"

/** Claims of an ID token, or members of a JSON answer: whatever the script says. */
export type Claims = Record<string, unknown>

/** A person at the provider. Members beyond the named ones become claims as they are. */
export interface ScriptedUser {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  picture?: string
  [claim: string]: unknown
}

/** A request as the provider received it. */
export interface RecordedRequest {
  readonly endpoint: EndpointName
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** The form fields of the body; empty when there was none. */
  readonly body: URLSearchParams
  /** The body as it came. */
  readonly text: string
  /** Token endpoint only: how the client proved itself; absent when it did not. */
  readonly clientAuth?: ClientAuthMethod
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal
}

/**
 * Answers a request in place of the provider. `honest` gives the answer that the provider would have given;
 * `undefined` leaves it to the provider.
 */
export type Responder = (
  request: RecordedRequest,
  createDefaultResponse: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>

/** How the provider behaves and who its client is. */
export interface ScriptedProviderOptions {
  /**
   * Id of the provider objects that it describes.
   * @defaultValue "scripted"
   */
  id?: string
  /**
   * An https URL, with or without a path.
   * @defaultValue "https://idp.example"
   */
  issuer?: string
  /**
   * What the provider speaks: OpenID Connect, or the plain OAuth of `socialidp` (no discovery, no ID token).
   * @defaultValue "oidc"
   */
  dialect?: "oidc" | "social"
  /** @defaultValue "latchkey-client" */
  clientId?: string
  /** @defaultValue a text of 43 letters and digits */
  clientSecret?: string
  /**
   * What the token endpoint takes. `none` must be named to be taken.
   * @defaultValue all but "none"
   */
  authMethods?: readonly ClientAuthMethod[]
  /** When given, the only redirect URIs that are taken. */
  redirectUris?: readonly string[]
  /** @defaultValue "RS256" */
  alg?: SigningAlgorithm
  /**
   * Whether a refresh replaces the refresh token, or refresh tokens are not issued at all.
   * @defaultValue "kept"
   */
  refreshTokens?: "kept" | "rotated" | "none"
  /** Who approves first. */
  user?: ScriptedUser
}

/** The URLs of the provider as they are now; `listen` changes them. */
export interface Endpoints {
  readonly discovery: string
  readonly jwks: string
  readonly authorize: string
  readonly token: string
  readonly userinfo: string
}
