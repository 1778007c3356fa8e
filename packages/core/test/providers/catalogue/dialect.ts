/** How a provider of the catalogue speaks, after its own documentation. */
import type { Provider, ProviderEnvironment } from "@latchkey/core/providers"
import type { Claims, ClientAuthMethod } from "@latchkey/testing"

/** What the provider says of one person. */
export interface Person {
  /** Claims of the ID token, and the answer of the userinfo endpoint. */
  claims?: Claims
  /** Answers of further endpoints, by their URL; a number is a status without an answer. */
  also?: Readonly<Record<string, unknown>>
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
export type Factory = ((options?: Partial<ProviderEnvironment>) => Provider) & Provider

/** A provider of the catalogue, and what the world at the other end looks like. */
export interface Dialect {
  readonly factory: Factory
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
  readonly announcesPkce?: boolean
  readonly clientAuth: ClientAuthMethod
  /** What is sent to protect the code, beside the state. */
  readonly guards: readonly ("code_challenge" | "nonce")[]
  /** The parameters of the authorization request that are the provider's own. */
  readonly asked: Readonly<Record<string, string | null>>
  /** Its names for parameters of the protocol. */
  readonly renamed?: Readonly<Record<string, string>>
  /** The token answer in its form. */
  readonly token?: (honest: Claims) => Claims
  readonly full: Person
  readonly user: ExpectedUser
  readonly accountId: string
  /** A person with as little as there may be. */
  readonly bare: Person
  readonly bareName: string | null
  /** People whose address is not to be believed; all have that of `user`, or that of {@link claimed}. */
  readonly denied?: readonly Person[]
  /** People whose address may join them to a user where the application says so. */
  readonly believed?: readonly Person[]
}

/** The address that everybody of the dialects has. */
export const claimed = "ada@example.com"
