import type { Language, ProviderLogo } from "@latchkey/pages"
/** The types of provider definitions. */
import type { allowInsecureRequests, customFetch } from "../symbols.ts"
import type {
  Account,
  Awaitable,
  CredentialInput,
  FlowData,
  Profile,
  ProviderType,
  RequestView,
  Theme,
  TokenSet,
  User,
} from "../types.ts"
import type {
  ClientOptions,
  EndpointOptions,
  ProfileContext,
  TenantIssuers,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./endpoint-types.ts"
import type { WebAuthnConfig } from "./webauthn-types.ts"

export type {
  ClientOptions,
  EndpointOptions,
  EndpointParams,
  ProfileContext,
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
  type: ProviderType
}

/**
 * The base of profile types: providers send more than is declared, and applications can request more. What is declared
 * as required is sent for a complete profile with the default scopes.
 */
export interface ProviderProfile {
  [field: string]: any
}

/** The base of profile types with the standard claims of OpenID Connect. */
export interface ProviderClaims extends Profile {
  [claim: string]: any
}

/** Makes all options optional. Options that are undefined, such as a missing environment variable, are ignored. */
export type PartialOrUndefined<T> = { [Name in keyof T]?: T[Name] | undefined }

/** The return type of a function that returns nothing. */
type VoidReturn = ReturnType<() => void>

/** A check that protects an authorization code flow. */
export type Check = "pkce" | "state" | "nonce" | "none"

/** The style of a provider's button. */
export interface ProviderStyle {
  /** Path or data URL of a logo with 24 by 24 pixels. */
  logo?: string
  /** Loads the logo that pages draw if there is no `logo`. */
  loadLogo?: () => Promise<{ readonly logo: ProviderLogo }>
  /** CSS colour. */
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated the colour of the text follows from the page */
  text?: string
}

// The functions are declared as methods, so that functions with narrower parameters, such as those of Auth.js providers,
// are accepted.
/** The fields of OAuth 2 and OpenID Connect providers. */
interface OAuthFields<P> extends CommonProviderOptions {
  /** The issuer identifier (RFC 8414 section 2), which is used to discover metadata. */
  issuer?: string | undefined
  /** URL of the metadata document. If it cannot be fetched, that of `issuer` is used. @defaultValue that of `issuer` */
  wellKnown?: string
  /** URL of the key set, if the provider has no metadata document. */
  jwks_endpoint?: string
  /** The authorization endpoint, with the parameters of the request, such as `scope`. */
  authorization?: string | EndpointOptions
  /**
   * Names of parameters for the authorization request that browsers may set although `authorization.params` sets them,
   * or although the library does not know them. Parameters of the protocol, such as `redirect_uri`, are never
   * overridden.
   * @defaultValue `[]`
   */
  overridableParams?: readonly string[]
  /** The token endpoint. */
  token?: string | TokenEndpointOptions
  /** The endpoint that returns the profile. */
  userinfo?: string | UserinfoEndpointOptions<P>
  /**
   * Maps the provider's profile to a user. The `id` is the id of the account at the provider. If you call the function
   * of a built-in provider, pass `context` on.
   */
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
  /**
   * Whether the provider has verified the address. Set true if it verifies every address, or a function that returns
   * true if the user has proven the address, false if not, and undefined if the provider does not say. An unverified
   * address is never used to link an account. If addresses identify users, new users are stored with verified ones
   * only.
   * @defaultValue the claim `email_verified`
   */
  emailVerified?: boolean | ((profile: P) => unknown)
  /**
   * Parameters of the authorization response that are added to the profile: JSON objects parsed, other values as text.
   * They are sent through the browser and are not signed, so never base a decision on them.
   */
  responseParams?: readonly string[]
  /** Selects the tokens that are stored with the account. */
  account?(tokens: TokenSet): PartialOrUndefined<Account> | undefined | VoidReturn
  /** Checks that protect the sign-in besides `state`, which is always sent. @defaultValue `["pkce"]` */
  checks?: readonly Check[]
  /** The id of your application at the provider. @defaultValue `AUTH_<ID>_ID` */
  clientId?: string | undefined
  /** The secret of your application at the provider. @defaultValue `AUTH_<ID>_SECRET` */
  clientSecret?: string | undefined
  /** The name of the parameter for `clientId`, if the provider uses another one. @defaultValue "client_id" */
  clientIdParameter?: string
  /** Metadata of your application at the provider, such as how it authenticates. */
  client?: ClientOptions
  /** How far the provider's clock may differ from this server's, in seconds, at most 300. @defaultValue 30 */
  clockTolerance?: number
  /** The look of the button on the sign-in page. */
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
  /** Replaces the platform's `fetch` for requests to the provider. The key is a symbol. */
  [customFetch]?: typeof fetch
  /** Allows http URLs of the provider, for tests. The key is a symbol. @defaultValue false */
  [allowInsecureRequests]?: boolean
}

/** An OAuth 2 provider (RFC 6749). */
export interface OAuth2Config<P = Profile> extends OAuthFields<P> {
  type: "oauth"
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P = Profile> extends OAuthFields<P> {
  type: "oidc"
  /** For an `issuer` of several tenants. Users of all these tenants can sign in. */
  tenants?: TenantIssuers
  /**
   * Set true only for a provider that ignores PKCE and whose ID tokens lack the nonce. Then nothing but `state` binds its
   * response to the sign-in. @defaultValue false
   */
  omitsNonce?: boolean
  /**
   * The `prompt` with which the sign-in page asks the provider to authenticate a visitor again. @defaultValue `"login"`
   */
  loginPrompt?: string
  /** Whether the claims come from the ID token. If false, they come from the userinfo endpoint. @defaultValue true */
  idToken?: boolean
  /**
   * Where `signOut({ federated: true })` ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0).
   * @defaultValue that of the metadata
   */
  end_session_endpoint?: string
  /**
   * Whether `GET <base path>/logout/<provider>` in a hidden frame ends the sessions of the user, for a provider that
   * cannot send logout tokens (OpenID Connect Front-Channel Logout 1.0). Anybody who knows the id of a session at the
   * provider can then end it. Needs `session.records`. @defaultValue false
   */
  frontChannelLogout?: boolean
}

/** An OAuth 2 or OpenID Connect provider. */
export type OAuthConfig<P = Profile> = OIDCConfig<P> | OAuth2Config<P>

/** The options of an OAuth 2 or OpenID Connect provider. */
export type OAuthUserConfig<P = Profile> = PartialOrUndefined<
  Omit<OAuth2Config<P>, "options" | "type">
> & {
  /** See {@link OIDCConfig}. */
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
  /**
   * Six digits that sign in the browser that requested the e-mail, for ten minutes. Only providers with `sendsCode`
   * receive a code.
   */
  readonly code?: string
  provider: EmailConfig
  theme: Theme
  /** The language of the visitor. @defaultValue English */
  language?: Language
  request: Request
}

/** An e-mail. */
export interface MailMessage {
  /** An address, or a name and an address: `Example <hello@example.com>`. */
  readonly from: string
  /** A plain address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** An e-mail that carries no sign-in link, but a code or a notice. */
export interface SecurityMessage extends MailMessage {
  /** Texts that no error or log may quote, such as a code. */
  readonly secrets?: readonly string[]
}

/** A provider that sends sign-in links by e-mail. */
export interface EmailConfig extends CommonProviderOptions {
  type: "email"
  /** The sender: an address, or a name and an address. */
  from?: string
  /** The transport: a connection URL or transport options, as `createTransport` of nodemailer takes them. */
  server?: any
  /** The key of an account at a mail service. If a definition has this field, the application must set it. */
  apiKey?: string | undefined
  /** The key of the stored hashes. @defaultValue `secret` of the configuration */
  secret?: string | readonly string[]
  /** Lifetime of a link in seconds. @defaultValue 86400 */
  maxAge?: number
  /** Shows a page with a button before a link is used, also in the browser that requested it. @defaultValue false */
  confirm?: boolean
  /**
   * Lets every browser use a link as soon as it opens it. Then mail scanners use links up, and whoever opens a forwarded
   * link is signed in. @defaultValue false
   */
  allowAnyBrowser?: boolean
  /**
   * Whether your `sendVerificationRequest` sends the code. Then the link needs the code in other browsers.
   *
   * @defaultValue true for the built-in e-mail; false for your own function
   */
  sendsCode?: boolean
  /** Sends the link, with the code if there is one. */
  sendVerificationRequest(request: VerificationRequest): Awaitable<void>
  /** Sends another e-mail, for the option `mailer`. The built-in providers have it, except Loops. */
  sendMessage?(message: SecurityMessage, provider: EmailConfig): Awaitable<void>
  /** Returns the token of a link. One with fewer than 21 characters works only in the browser that requested it. */
  generateVerificationToken?: () => Awaitable<string>
  /** Normalises the address that a user typed. Throw to refuse it. */
  normalizeIdentifier?: (identifier: string) => string
  options?: EmailUserConfig
}

/** Sends e-mails: an e-mail provider, or your own function. */
export interface Mailer {
  /** Sends an e-mail. `from` is a default that you may replace. An error must not quote `secrets`. */
  sendMessage?: NonNullable<EmailConfig["sendMessage"]> | undefined
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
   *
   * @param request with the credentials as its JSON body
   * @param context missing only in calls of your own
   */
  authorize(
    credentials: Partial<Record<keyof Fields, unknown>>,
    request: Request,
    context?: AuthorizeContext,
  ): Awaitable<User | null>
  options?: CredentialsUserConfig<Fields>
}

/** The third parameter of `authorize`. */
export interface AuthorizeContext {
  /** The request as other callbacks see it, with the address of the client. */
  request: RequestView
  /** The data of the application that travelled through the sign-in. */
  flow?: FlowData
}

/** `authorize` as applications write it. */
export type Authorize<Fields extends Record<string, CredentialInput>> = (
  credentials: Partial<Record<keyof Fields, unknown>>,
  request: Request,
  context: AuthorizeContext,
) => Awaitable<User | null>

/** The options of a credentials provider. */
export type CredentialsUserConfig<
  Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>,
> = PartialOrUndefined<
  Omit<CredentialsConfig<Fields>, "options" | "type" | "authorize"> & {
    authorize: Authorize<Fields>
  }
>

/** Any provider. */
export type ProviderConfig =
  | OAuthConfig<any>
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
