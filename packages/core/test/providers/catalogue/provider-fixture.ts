/** The protocol of a provider of the catalogue, according to its documentation. */
import type { Provider, ProviderEnvironment } from "@latchkey/core/providers"
import type { Claims, ClientAuthMethod, ProviderFaults } from "@latchkey/testing"

/** A user at the provider. */
export interface ProviderProfile {
  /** The claims of the ID token, and the userinfo response. */
  claims?: Claims
  /** Responses of other endpoints by URL: JSON, bytes, or a status without a body. */
  otherEndpoints?: Readonly<Record<string, unknown>>
  /** The additional fields of the token response. */
  token?: Claims
}

/** A user in the database of the application. */
interface ExpectedUser {
  name: string | null
  email: string | null
  image: string | null
}

/** A factory with the options that all of them accept. */
export type ProviderFactory = ((options?: Partial<ProviderEnvironment>) => Provider) & Provider

/** A provider of the catalogue, and the provider that the test simulates. */
export interface ProviderFixture {
  readonly factory: ProviderFactory
  readonly id: string
  /** The required options other than the client id and secret. */
  readonly options?: { issuer: string }
  /** The endpoints. Others are not requested. */
  readonly endpoints: {
    readonly authorize: string
    readonly token: string
    readonly discovery?: string
    readonly jwks?: string
    readonly userinfo?: string
  }
  /** The issuer of its ID tokens. */
  readonly issuer?: string
  readonly supportsPkce?: boolean
  readonly clientAuth: ClientAuthMethod
  /** The checks in addition to the state. */
  readonly protections: readonly ("code_challenge" | "nonce")[]
  /** The authorization parameters that are specific to the provider. */
  readonly authorizationParams: Readonly<Record<string, string | null>>
  /** The names that it uses for protocol parameters. */
  readonly renamedParams?: Readonly<Record<string, string>>
  /** Converts the ID token to its format. */
  readonly idToken?: ProviderFaults["idToken"]
  /** Converts the token response to its format. */
  readonly tokenResponse?: (honest: Claims) => Claims
  readonly fullProfile: ProviderProfile
  readonly expectedUser: ExpectedUser
  readonly accountId: string
  /** A user with as few fields as possible. */
  readonly minimalProfile: ProviderProfile
  readonly minimalName: string | null
  /** The picture of that user, if the provider has one for everybody. */
  readonly minimalImage?: string
  /** Users with an unverified address, which is that of `user` or {@link sharedEmail}. */
  readonly unverifiedProfiles?: readonly ProviderProfile[]
  /** Users whose address can link them, if the application allows it. */
  readonly linkableProfiles?: readonly ProviderProfile[]
}

/** The address of all users in the fixtures. */
export const sharedEmail = "ada@example.com"
