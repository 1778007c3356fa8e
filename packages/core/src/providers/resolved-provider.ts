/** The providers that the flows use, with all defaults applied. */
import type { allowInsecureRequests, customFetch } from "../symbols.ts"
import type { Account, Awaitable, CredentialInput, TokenSet, User } from "../types.ts"
import type {
  ClientOptions,
  CredentialsConfig,
  EmailConfig,
  PartialOrUndefined,
  ProfileContext,
  ProviderStyle,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./types.ts"
import type {
  RelyingParty,
  WebAuthnAuthenticationOptions,
  WebAuthnChecks,
  WebAuthnConfig,
  WebAuthnRegistrationOptions,
  WebAuthnServer,
} from "./webauthn-types.ts"

/** An endpoint. Without `url`, the provider's metadata is used. */
interface ResolvedEndpoint {
  readonly url: string | undefined
}

/** An OAuth 2 or OpenID Connect provider. */
export interface ResolvedOAuthProvider {
  readonly type: "oauth" | "oidc"
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle | undefined
  readonly issuer: string | undefined
  /** The issuer that the metadata must have, with `{tenantid}` if several tenants share it. */
  readonly metadataIssuer: string | undefined
  /** The claim with the id of the tenant, if several tenants share the provider. */
  readonly tenantClaim: string | undefined
  /** URL of the metadata document. */
  readonly wellKnown: string | undefined
  readonly jwksUri: string | undefined
  readonly authorization: ResolvedEndpoint & {
    /** Strings for the query. */
    readonly params: Readonly<Record<string, string>>
    /** The names of parameters that browsers may set in any case. */
    readonly overridableParams: readonly string[]
  }
  readonly token: ResolvedEndpoint &
    Pick<TokenEndpointOptions, "conform" | "clientPrivateKey" | "clientSecret">
  readonly userinfo: ResolvedEndpoint &
    Pick<UserinfoEndpointOptions<unknown>, "request" | "conform">
  /** Where the session at the provider is ended. */
  readonly endSessionUrl: string | undefined
  readonly frontChannelLogout: boolean
  readonly clientId: string
  readonly clientIdParameter: string
  readonly clientSecret: string | undefined
  readonly client: ClientOptions
  /** In seconds. */
  readonly clockTolerance: number | undefined
  /** The client authentication method at the token endpoint. Undefined follows the metadata. */
  readonly clientAuthMethod: ClientOptions["token_endpoint_auth_method"]
  readonly usesPkce: boolean
  readonly usesNonce: boolean
  /** Whether no nonce is added where PKCE is missing. */
  readonly omitsNonce: boolean
  /** The `prompt` with which the provider authenticates a user again. */
  readonly loginPrompt: string
  /** Whether the claims come from the ID token. */
  readonly usesIdToken: boolean
  /** Whether the authorization response is a cross-site form post. */
  readonly usesFormPost: boolean
  readonly profile: (
    profile: Record<string, unknown>,
    tokens: TokenSet,
    context: ProfileContext,
  ) => Awaitable<User>
  /** Returns whether the provider has verified the address, unchecked. */
  readonly emailVerified: (profile: Record<string, unknown>) => unknown
  /** Unsigned parameters of the authorization response that are added to the profile. */
  readonly responseParams: readonly string[]
  readonly account: (tokens: TokenSet) => PartialOrUndefined<Account> | undefined
  readonly allowEmailLinking: boolean
  /** The redirect URI at another deployment. */
  readonly redirectProxyUrl: string | undefined
  readonly fetch: typeof fetch | undefined
  readonly allowInsecure: boolean
  /** The provider's own fields with the application's options merged in. */
  readonly definition: Readonly<Record<string, unknown>>
}

/** A provider of e-mail links. */
export interface ResolvedEmailProvider {
  readonly type: "email"
  readonly id: string
  readonly name: string
  readonly maxAge: number
  readonly confirm: boolean
  readonly allowAnyBrowser: boolean
  /** Whether its e-mails carry a code. */
  readonly sendsCode: boolean
  readonly definition: EmailConfig
}

/** A provider of credentials. */
export interface ResolvedCredentialsProvider {
  readonly type: "credentials"
  readonly id: string
  readonly name: string
  readonly fields: Readonly<Record<string, CredentialInput>>
  /** The field that names the account; undefined if no field does. */
  readonly identifierField: string | undefined
  /** The other fields that may say whose account it is. */
  readonly tenantFields: readonly string[]
  readonly authorize: CredentialsConfig["authorize"] | undefined
}

/** The relying parties of a passkey provider. */
export type RelyingParties =
  /** The host of the request, or its parent domain `id`. */
  | { readonly kind: "request"; readonly id: string | undefined; readonly name: string | undefined }
  | { readonly kind: "listed"; readonly parties: readonly RelyingParty[] }

/** A passkey provider. */
export interface ResolvedWebAuthnProvider {
  readonly type: "webauthn"
  readonly id: string
  readonly name: string
  /** Whether it is the provider of Auth.js, which has to be enabled. */
  readonly isExperimental: boolean
  readonly relatedOrigins: readonly string[]
  readonly relyingParties: RelyingParties
  readonly getRelayingParty: WebAuthnConfig["getRelayingParty"]
  readonly getUserInfo: WebAuthnConfig["getUserInfo"]
  readonly conditionalUI: boolean
  readonly fields: Readonly<Record<string, CredentialInput>>
  readonly registration: WebAuthnRegistrationOptions
  readonly authentication: WebAuthnAuthenticationOptions
  readonly registrationChecks: Required<WebAuthnChecks>
  readonly authenticationChecks: Required<WebAuthnChecks>
  /** Loads the package that verifies passkeys. */
  readonly loadWebAuthnServer: (() => Promise<WebAuthnServer>) | undefined
  readonly definition: Readonly<Record<string, unknown>>
}

export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedEmailProvider
  | ResolvedCredentialsProvider
  | ResolvedWebAuthnProvider

/** Options under symbols, which merging by name skips. */
export interface ProviderSymbolOptions {
  readonly [customFetch]?: typeof fetch
  readonly [allowInsecureRequests]?: boolean
}
