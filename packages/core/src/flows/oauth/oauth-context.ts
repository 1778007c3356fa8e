/** The context that the steps of a sign-in with an OAuth 2 or OpenID Connect provider share, and its pending sign-ins. */
import type { AuthorizationServer } from "oauth4webapi"
import { pendingSignInMaxAge } from "../../config/defaults.ts"
import { InvalidCheck } from "../../errors.ts"
import type { SignInState } from "../../http/action-request.ts"
import type { ProviderFetch } from "../../http/provider-fetch.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { FlowContext, LinkRequest } from "../flow.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import type { MetadataCache } from "./metadata-cache.ts"

export interface OAuthContext extends FlowContext {
  readonly provider: ResolvedOAuthProvider
  readonly getMetadata: MetadataCache
  readonly attempts: CodeCounter
}

/** Counts how often a code has arrived at a redirect proxy. */
interface CodeCounter {
  count(key: string, windowSeconds: number, scope: "code"): Promise<{ readonly count: number }>
}

/**
 * The conditions that the ID token has to meet. They travel in the sealed transaction, because browsers can change the
 * request.
 */
export interface RequestedAuthentication {
  /** How long before the sign-in began the user may have authenticated, in seconds. */
  readonly maxAge: number
  /** Whether the ID token must have `auth_time`: always, if the metadata of the provider lists it, or never. */
  readonly needsAuthTime: "always" | "if-supported" | "never"
}

/** The state that a sign-in begins with. */
export interface NewOAuthSignIn extends Omit<SignInState, "isLinking"> {
  readonly callbackUrl: string
  readonly linkRequest: LinkRequest | undefined
  readonly authentication: RequestedAuthentication | undefined
}

/** A pending sign-in: the values that the callback needs. */
export interface OAuthTransaction extends NewOAuthSignIn {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636). Absent when the provider does not use it. */
  readonly codeVerifier?: string | undefined
  /** OpenID Connect Core 3.1.2.1. Absent when PKCE replaces it. */
  readonly nonce?: string | undefined
  readonly redirectUri: string
  /** When the sign-in began, in seconds since 1970. The sealer adds it. */
  readonly iat?: number
}

/** Everything that a request to the token endpoint needs. */
export interface TokenEndpointClient {
  readonly provider: ResolvedOAuthProvider
  /** The endpoints in effect. */
  readonly server: AuthorizationServer
  readonly fetch: ProviderFetch
}

/** A pending sign-in with everything that a request to its provider needs. */
export interface ProviderClient extends TokenEndpointClient {
  readonly transaction: OAuthTransaction
}

/** Each pending sign-in is sealed in a cookie of its own. */
export function getOAuthCookies(context: OAuthContext): TransactionCookies {
  const { request, provider } = context
  const { name, options } = request.cookieDefinitions.state
  // Browsers send no `Lax` cookies with a form that is posted across sites.
  const crossSite = provider.usesFormPost ? ({ sameSite: "none", secure: true } as const) : {}
  const cookie = { name, options: { ...options, ...crossSite } }
  return new TransactionCookies(context, "transaction", cookie)
}

/**
 * Finds the transaction that belongs to a state, and consumes it unless `find` only reads it.
 *
 * @param providerError describes the error in the response, so that it is not lost
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function findOAuthTransaction(
  context: OAuthContext,
  state: string,
  find: "read" | "consume" = "consume",
  providerError = "",
): Promise<OAuthTransaction> {
  const { id: provider } = context.provider
  const cookies = getOAuthCookies(context)
  // `createAuthorizationUrl` sealed it.
  const transaction = (await cookies[find](state)) as OAuthTransaction | undefined
  if (transaction?.provider === provider) return transaction
  const expected = "the state of a sign-in that this browser began with this provider"
  const found = transaction
    ? `the state of a sign-in with ${transaction.provider}`
    : await cookies.describeMissing(state)
  const received = providerError ? `${found}, with the provider's error ${providerError}` : found
  context.request.reportRecorder?.record("Pending sign-in", received, false, expected)
  const hint =
    `The sign-in took longer than ${pendingSignInMaxAge / 60} minutes, began in another browser or under ` +
    "another host name, was already completed, or its cookie was blocked."
  throw new InvalidCheck({ provider, expected, received, hint, isExpired: true })
}
