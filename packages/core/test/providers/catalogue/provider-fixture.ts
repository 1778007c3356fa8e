/** How a provider of the catalogue speaks, after its own documentation. */
import type { Provider, ProviderEnvironment } from "@latchkey/core/providers"
import type { Claims, ClientAuthMethod } from "@latchkey/testing"

/** What the provider says of one person. */
export interface ProviderProfile {
  /** Claims of the ID token, and the answer of the userinfo endpoint. */
  claims?: Claims
  /** Answers of further endpoints, by their URL; a number is a status without an answer. */
  otherEndpoints?: Readonly<Record<string, unknown>>
  /** What the token answer has beside the tokens. */
  token?: Claims
}

/** A user of the application, as its database has it. */
interface ExpectedUser {
  name: string | null
  email: string | null
  image: string | null
}

/** A factory with what every one of them takes. */
export type ProviderFactory = ((options?: Partial<ProviderEnvironment>) => Provider) & Provider

/** A provider of the catalogue, and what the world at the other end looks like. */
export interface ProviderFixture {
  readonly factory: ProviderFactory
  readonly id: string
  /** What an application has to write beside id and secret. */
  readonly options?: { issuer: string }
  /** Where its endpoints are; those that are not named are not called. */
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
  /** What is sent to protect the code, beside the state. */
  readonly protections: readonly ("code_challenge" | "nonce")[]
  /** The parameters of the authorization request that are the provider's own. */
  readonly authorizationParams: Readonly<Record<string, string | null>>
  /** Its names for parameters of the protocol. */
  readonly renamedParams?: Readonly<Record<string, string>>
  /** The token answer in its form. */
  readonly tokenResponse?: (honest: Claims) => Claims
  readonly fullProfile: ProviderProfile
  readonly expectedUser: ExpectedUser
  readonly accountId: string
  /** A person with as little as there may be. */
  readonly minimalProfile: ProviderProfile
  readonly minimalName: string | null
  /** People whose address is not to be believed; all have that of `user`, or that of {@link sharedEmail}. */
  readonly unverifiedProfiles?: readonly ProviderProfile[]
  /** People whose address may join them to a user where the application says so. */
  readonly linkableProfiles?: readonly ProviderProfile[]
}

/** The address that everybody of the dialects has. */
export const sharedEmail = "ada@example.com"
