/** The types of provider definitions. */
import type { allowInsecureRequests, customFetch } from "../symbols.ts"
import type {
  Account,
  Awaitable,
  CredentialInput,
  Profile,
  Theme,
  TokenSet,
  User,
} from "../types.ts"
import type {
  ClientOptions,
  EndpointOptions,
  TenantIssuers,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./endpoint-types.ts"
import type { WebAuthnConfig } from "./webauthn-types.ts"

export type {
  ClientOptions,
  EndpointOptions,
  EndpointParams,
  TenantIssuers,
  TokenEndpointOptions,
  UserinfoContext,
  UserinfoEndpointOptions,
} from "./endpoint-types.ts"

export type {
  RelyingParty,
  RelyingPartyOptions,
  WebAuthnAuthenticationOptions,
  WebAuthnChecks,
  WebAuthnConfig,
  WebAuthnContext,
  WebAuthnRegistrationOptions,
  WebAuthnServer,
  WebAuthnUserConfig,
  WebAuthnUserInfo,
} from "./webauthn-types.ts"

/** The fields that all providers have. */
export interface CommonProviderOptions {
  /** Identifies the provider in URLs, in the database and in `signIn`. */
  id: string
  /** The display name. */
  name: string
}

/** Makes all options optional. Options that are undefined, such as a missing environment variable, are ignored. */
export type PartialOrUndefined<T> = { [Name in keyof T]?: T[Name] | undefined }

/** The return type of a function that returns nothing. */
type VoidReturn = ReturnType<() => void>

/** A check that protects an authorization code flow. */
export type Check = "pkce" | "state" | "nonce" | "none"

/** The style of a provider's button. */
export interface ProviderStyle {
  /** URL or data URL of a logo with 24 by 24 pixels. */
  logo?: string
  /** CSS colour. */
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated the colour of the text follows from the page */
  text?: string
}

/**
 * The fields of OAuth 2 and OpenID Connect providers. The functions are declared as methods, so that functions with
 * narrower parameters, such as those of Auth.js providers, are accepted.
 */
export interface OAuth2Config<P> extends CommonProviderOptions {
  /** The issuer identifier (RFC 8414 section 2), which is used to discover metadata. */
  issuer?: string | undefined
  /** URL of the metadata document, if it is not at the well-known path of `issuer`. */
  wellKnown?: string
  /** URL of the key set, if the provider has no metadata document. */
  jwks_endpoint?: string
  authorization?: string | EndpointOptions
  token?: string | TokenEndpointOptions
  userinfo?: string | UserinfoEndpointOptions<P>
  /** Maps the provider's profile to a user. The `id` is the id of the account at the provider. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /**
   * Whether the provider has verified the address. Set true if it verifies every address, or a function that returns
   * true if the user has proven the address, false if not, and undefined if the provider does not say. An unverified
   * address is never used to link an account. If addresses identify users, new users are stored with verified ones only.
   * @defaultValue the claim `email_verified`
   */
  emailVerified?: boolean | ((profile: P) => unknown)
  /**
   * Parameters of the authorization response with a JSON object, which are added to the profile. They are sent through
   * the browser and are not signed, so never base a decision on them.
   */
  responseParams?: readonly string[]
  /** Selects the tokens that are stored with the account. */
  account?(tokens: TokenSet): PartialOrUndefined<Account> | undefined | VoidReturn
  /** @defaultValue `["pkce"]`; `state` is always sent */
  checks?: readonly Check[]
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The name of the parameter for `clientId`, if the provider uses another one. @defaultValue "client_id" */
  clientIdParameter?: string
  client?: ClientOptions
  style?: ProviderStyle
  /**
   * Links a new account to the user with the same e-mail address. Anyone who controls an address at this provider then
   * controls that user.
   * @defaultValue false
   */
  allowDangerousEmailAccountLinking?: boolean
  /** The URL, up to the base path, of another deployment that receives the callback. */
  redirectProxyUrl?: string | undefined
  /** The application's options, which override the fields above. */
  options?: OAuthUserConfig<P>
  [customFetch]?: typeof fetch
  [allowInsecureRequests]?: boolean
}

/** An OAuth 2 provider (RFC 6749). */
export interface OAuthConfig<P = Profile> extends OAuth2Config<P> {
  type: "oauth"
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P = Profile> extends OAuth2Config<P> {
  type: "oidc"
  /** For an `issuer` of several tenants. Users of all these tenants can sign in. */
  tenants?: TenantIssuers
  /** Whether the claims come from the ID token. If false, they come from the userinfo endpoint. @defaultValue true */
  idToken?: boolean
}

/** The options of an OAuth 2 or OpenID Connect provider. */
export type OAuthUserConfig<P = Profile> = PartialOrUndefined<
  Omit<OAuthConfig<P>, "options" | "type">
> & {
  idToken?: boolean | undefined
}

/** The options of an OpenID Connect provider. */
export type OIDCUserConfig<P = Profile> = PartialOrUndefined<
  Omit<OIDCConfig<P>, "options" | "type">
>

/** The parameter of {@link EmailConfig.sendVerificationRequest}. */
export interface VerificationRequest {
  /** The e-mail address. */
  identifier: string
  /** The sign-in link. */
  url: string
  expires: Date
  /** The token in the link. */
  token: string
  provider: EmailConfig
  theme: Theme
  request: Request
}

/** A provider that sends sign-in links by e-mail. */
export interface EmailConfig extends CommonProviderOptions {
  type: "email"
  from?: string
  /** The transport: a connection URL or transport options. */
  server?: unknown
  apiKey?: string
  /** The key of the stored hashes. @defaultValue `secret` of the configuration */
  secret?: string | readonly string[]
  /** Lifetime of a link in seconds. @defaultValue 86400 */
  maxAge?: number
  /** Shows a page with a button before a link is used, also in the browser that requested it. @defaultValue false */
  confirm?: boolean
  sendVerificationRequest(request: VerificationRequest): Awaitable<void>
  generateVerificationToken?: () => Awaitable<string>
  /** Normalises the address that a user typed. Throw to refuse it. */
  normalizeIdentifier?: (identifier: string) => string
  options?: EmailUserConfig
}

/** The options of an e-mail provider. */
export type EmailUserConfig = PartialOrUndefined<Omit<EmailConfig, "options" | "type">>

/** A provider that checks credentials, such as a user name and a password. */
export interface CredentialsConfig<
  Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: "credentials"
  /** The fields of the form. */
  credentials: Fields
  /**
   * Returns the user with these credentials, or null. Throw `CredentialsSignin` to give a reason. With database
   * sessions, the `id` must be the id of a stored user.
   */
  authorize: (
    credentials: Partial<Record<keyof Fields, unknown>>,
    request: Request,
  ) => Awaitable<User | null>
  options?: CredentialsUserConfig<Fields>
}

/** The options of a credentials provider. */
export type CredentialsUserConfig<
  Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> = PartialOrUndefined<Omit<CredentialsConfig<Fields>, "options" | "type">>

/** Any provider. */
export type ProviderConfig =
  | OAuthConfig<any>
  | OIDCConfig<any>
  | EmailConfig
  | CredentialsConfig<any>
  | WebAuthnConfig

/** A provider, or a function that creates one with values from the environment. */
export type Provider = (ProviderConfig | ProviderFactory["make"]) & object

/** A method type, because other factories have options of their own or require an issuer. */
interface ProviderFactory {
  make(environment: Partial<ProviderEnvironment>): ProviderConfig
}

/** The parameters of a provider function: the values of `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`. */
export interface ProviderEnvironment {
  clientId: string | undefined
  clientSecret: string | undefined
  issuer: string | undefined
  apiKey: string | undefined
}
