/** A pending sign-in with a provider: the values that the callback needs, sealed in a cookie of its own. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { Sealer } from "../../crypto/sealer.ts"
import { InvalidCheck } from "../../errors.ts"
import type { SessionContext } from "../../http/action-request.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved-provider.ts"
import type { LinkRequest } from "../flow-result.ts"
import { TransactionCookies } from "../transaction-cookies.ts"

export interface OAuthTransaction {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636). Absent when the provider does not use it. */
  readonly codeVerifier?: string
  /** OpenID Connect Core 3.1.2.1. Absent when PKCE replaces it. */
  readonly nonce?: string
  readonly callbackUrl: string
  readonly redirectUri: string
  readonly linkRequest?: LinkRequest
  /** When the sign-in began, in seconds since 1970. The sealer adds it. */
  readonly iat?: number
}

export function createOAuthCookies(
  context: SessionContext,
  sealer: Sealer,
  { usesFormPost }: ResolvedOAuthProvider,
): TransactionCookies {
  const { state } = context.cookieDefinitions
  return new TransactionCookies(context, sealer, "transaction", state, usesFormPost)
}

/**
 * Consumes the transaction that belongs to a state. Its cookie is deleted even if the sign-in fails.
 *
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function consumeOAuthTransaction(
  context: SessionContext,
  sealer: Sealer,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<OAuthTransaction> {
  const cookies = createOAuthCookies(context, sealer, provider)
  // `createAuthorizationUrl` sealed it.
  const transaction = (await cookies.consume(state)) as OAuthTransaction | undefined
  if (transaction?.provider === provider.id) return transaction
  const expected = "the state of a sign-in that this browser began with this provider"
  const received = transaction
    ? `the state of a sign-in with ${transaction.provider}`
    : await cookies.describeMissing(state)
  context.reportRecorder?.record("Pending sign-in", received, false, expected)
  throw new InvalidCheck({
    provider: provider.id,
    expected,
    received,
    hint:
      `The sign-in took longer than ${pendingSignInMaxAge / 60} minutes, began in another browser or under ` +
      "another host name, was already completed, or its cookie was blocked.",
  })
}
