/** The entry `@latchkey/core/providers`: the types of definitions, and other names of `@auth/core/providers`. */
import type {
  EndpointOptions,
  TokenEndpointOptions,
  UserinfoEndpointOptions,
} from "./endpoint-types.ts"
import type { CommonProviderOptions, OAuth2Config, Provider, ProviderConfig } from "./types.ts"

export type { CredentialInput, ProviderType } from "../types.ts"
export type * from "./types.ts"
export type {
  OIDCConfig as OIDCConfigInternal,
  ProviderStyle as OAuthProviderButtonStyles,
  VerificationRequest as EmailProviderSendVerificationRequestParams,
} from "./types.ts"

/** Maps the provider's profile to a user. */
export type ProfileCallback<P> = NonNullable<OAuth2Config<P>["profile"]>

/** Selects the tokens that are stored with the account. */
export type AccountCallback = NonNullable<OAuth2Config["account"]>

/** A provider as pages list it. */
export interface AppProvider extends CommonProviderOptions {
  signinUrl: string
  callbackUrl: string
}

/** The providers of a configuration. */
export type AppProviders = Provider[]

/** Functions that create providers, by the ids of these. */
export type BuiltInProviders = Record<ProviderId, (options: never) => ProviderConfig>

/** Any id, because applications define providers of their own. */
export type ProviderId = string
export type OAuthProviderId = string
export type EmailProviderId = string
export type CredentialsProviderId = "credentials"
export type EmailProviderType = "email"

/** The endpoints that a definition describes. */
export type OAuthEndpointType = "authorization" | "token" | "userinfo"
export type AuthorizationEndpointHandler = EndpointOptions
export type TokenEndpointHandler = TokenEndpointOptions
export type UserinfoEndpointHandler<P = unknown> = UserinfoEndpointOptions<P>

/** The values that an authorization response is compared with. */
export interface OAuthChecks {
  code_verifier?: string
  state?: string
  nonce?: string
}
