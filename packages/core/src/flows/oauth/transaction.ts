/** A pending sign-in with a provider: the values that the callback needs, sealed in a cookie of its own. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import { InvalidCheck } from "../../errors.ts"
import {
  consumeTransaction,
  describeMissingTransaction,
  type TransactionCookies,
} from "../transaction-cookies.ts"
import type { OAuthContext, OAuthTransaction } from "./oauth-context.ts"

export function getOAuthCookies(context: OAuthContext): TransactionCookies {
  const { request, provider, sealer } = context
  const { name, options } = request.cookieDefinitions.state
  // Browsers send no `Lax` cookies with a form that is posted across sites.
  const crossSite = provider.usesFormPost ? ({ sameSite: "none", secure: true } as const) : {}
  const cookie = { name, options: { ...options, ...crossSite } }
  return { context: request, sealer, purpose: "transaction", cookie }
}

/**
 * Consumes the transaction that belongs to a state. Its cookie is deleted even if the sign-in fails.
 *
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function consumeOAuthTransaction(
  context: OAuthContext,
  state: string,
): Promise<OAuthTransaction> {
  const { id: provider } = context.provider
  const cookies = getOAuthCookies(context)
  // `createAuthorizationUrl` sealed it.
  const transaction = (await consumeTransaction(cookies, state)) as OAuthTransaction | undefined
  if (transaction?.provider === provider) return transaction
  const expected = "the state of a sign-in that this browser began with this provider"
  const received = transaction
    ? `the state of a sign-in with ${transaction.provider}`
    : await describeMissingTransaction(cookies, state)
  context.request.reportRecorder?.record("Pending sign-in", received, false, expected)
  const hint =
    `The sign-in took longer than ${pendingSignInMaxAge / 60} minutes, began in another browser or under ` +
    "another host name, was already completed, or its cookie was blocked."
  throw new InvalidCheck({ provider, expected, received, hint })
}
