/** Provider definitions as an application writes them. */
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

/** What all providers have. */
export interface CommonProviderOptions {
  /** Names the provider in URLs, in the database and in `signIn`. */
  id: string
  /** Shown to people. */
  name: string
}

/** Options of which none is needed. One that is undefined, as a variable of the environment may be, is left out. */
export type PartialOrUndefined<T> = { [Name in keyof T]?: T[Name] | undefined }

/** What a function returns that returns nothing. */
type VoidReturn = ReturnType<() => void>

/** A check that protects a sign-in on its way through the provider. */
export type Check = "pkce" | "state" | "nonce" | "none"

/** How a provider's button looks. */
export interface ProviderStyle {
  /** URL or data URL of a mark of 24 by 24 pixels. */
  logo?: string
  /** CSS colour. */
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated the colour of the text follows from the page */
  text?: string
}

/**
 * What OAuth 2 and OpenID Connect providers share. Its functions are declared as methods, so that those which were
 * written for the contract elsewhere, with narrower parameters, are accepted.
 */
export interface OAuth2Config<P> extends CommonProviderOptions {
  /** The identifier of the provider (RFC 8414 section 2); metadata is discovered from it. */
  issuer?: string | undefined
  /** URL of the metadata document, where it is not at its usual place under `issuer`. */
  wellKnown?: string
  /** URL of the key set, where the provider has no metadata document. */
  jwks_endpoint?: string
  authorization?: string | EndpointOptions
  token?: string | TokenEndpointOptions
  userinfo?: string | UserinfoEndpointOptions<P>
  /** Maps what the provider says of a person to a user. The `id` is the account's id at the provider. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /**
   * Tells what the provider says of the address that `profile` gives: true when the person has proven it, false
   * when not, undefined when the provider says nothing. A denied address never joins a person to a user.
   * @defaultValue the claim `email_verified`
   */
  emailVerified?: (profile: P) => unknown
  /**
   * Parameters of the provider's answer that hold a JSON object which `profile` gets beside the claims. They come
   * by way of the browser and nobody has signed them: nothing in them may decide anything.
   */
  responseParams?: readonly string[]
  /** Chooses what of the tokens is stored with the account. */
  account?(tokens: TokenSet): PartialOrUndefined<Account> | undefined | VoidReturn
  /** @defaultValue `["pkce"]`; `state` is always sent */
  checks?: readonly Check[]
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The parameter that carries `clientId`, for a provider with a name of its own. @defaultValue "client_id" */
  clientIdParameter?: string
  client?: ClientOptions
  style?: ProviderStyle
  /**
   * Joins a person who signs in here for the first time to the user that has the same e-mail address.
   * Whoever controls an address at this provider then controls that user.
   * @defaultValue false
   */
  allowDangerousEmailAccountLinking?: boolean
  /** Where the provider sends people back to, when it is not this deployment: up to the base path. */
  redirectProxyUrl?: string | undefined
  /** What the application wrote: wins over the fields above. */
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
  /** For an `issuer` that stands for several tenants. Who has an account with any of them may sign in. */
  tenants?: TenantIssuers
  /** Whether the claims come from the ID token; false asks the userinfo endpoint. @defaultValue true */
  idToken?: boolean
}

/** What an application may write for an OAuth 2 or OpenID Connect provider. */
export type OAuthUserConfig<P = Profile> = PartialOrUndefined<
  Omit<OAuthConfig<P>, "options" | "type">
> & {
  idToken?: boolean | undefined
}

/** What an application may write for an OpenID Connect provider. */
export type OIDCUserConfig<P = Profile> = PartialOrUndefined<
  Omit<OIDCConfig<P>, "options" | "type">
>

/** What {@link EmailConfig.sendVerificationRequest} gets. */
export interface VerificationRequest {
  /** The address. */
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
  /** The transport: a connection URL or the transport's own options. */
  server?: unknown
  apiKey?: string
  /** Keys the stored hashes, where it is not the `secret` of the configuration. */
  secret?: string | readonly string[]
  /** Lifetime of a link in seconds. @defaultValue 86400 */
  maxAge?: number
  /** Shows a page with a button before a link is used, so that nothing but a person can use it up. */
  confirm?: boolean
  sendVerificationRequest(request: VerificationRequest): Awaitable<void>
  generateVerificationToken?: () => Awaitable<string>
  /** Checks and normalises what was typed; throws to refuse it. */
  normalizeIdentifier?: (identifier: string) => string
  options?: EmailUserConfig
}

/** What an application may write for an e-mail provider. */
export type EmailUserConfig = PartialOrUndefined<Omit<EmailConfig, "options" | "type">>

/** A provider that checks what a person types. */
export interface CredentialsConfig<
  Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> extends CommonProviderOptions {
  type: "credentials"
  /** The fields of the form. */
  credentials: Fields
  /**
   * Returns the user that the credentials belong to, or null. Throws `CredentialsSignin` to give a reason.
   * With database sessions, the `id` must be that of a stored user.
   */
  authorize: (
    credentials: Partial<Record<keyof Fields, unknown>>,
    request: Request,
  ) => Awaitable<User | null>
  options?: CredentialsUserConfig<Fields>
}

/** What an application may write for a credentials provider. */
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

/** A provider, or a function that gives one when it is told what the environment says. */
export type Provider = (ProviderConfig | ProviderFactory["make"]) & object

/** The type of a method, because factories written elsewhere ask for options of their own, or for an issuer. */
interface ProviderFactory {
  make(environment: Partial<ProviderEnvironment>): ProviderConfig
}

/** What a provider function is given: values of `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`. */
export interface ProviderEnvironment {
  clientId: string | undefined
  clientSecret: string | undefined
  issuer: string | undefined
  apiKey: string | undefined
}
