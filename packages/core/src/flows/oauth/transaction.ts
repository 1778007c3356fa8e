/** A pending sign-in with a provider: the values that the callback needs, sealed in a cookie of its own. */
import { pendingSignInMaxAge } from "../../config/defaults.ts"
import { InvalidCheck } from "../../errors.ts"
import { TransactionCookies } from "../transaction-cookies.ts"
import type { OAuthContext, OAuthTransaction } from "./oauth-context.ts"

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
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function findOAuthTransaction(
  context: OAuthContext,
  state: string,
  find: "read" | "consume" = "consume",
): Promise<OAuthTransaction> {
  const { id: provider } = context.provider
  const cookies = getOAuthCookies(context)
  // `createAuthorizationUrl` sealed it.
  const transaction = (await cookies[find](state)) as OAuthTransaction | undefined
  if (transaction?.provider === provider) return transaction
  const expected = "the state of a sign-in that this browser began with this provider"
  const received = transaction
    ? `the state of a sign-in with ${transaction.provider}`
    : await cookies.describeMissing(state)
  context.request.reportRecorder?.record("Pending sign-in", received, false, expected)
  const hint =
    `The sign-in took longer than ${pendingSignInMaxAge / 60} minutes, began in another browser or under ` +
    "another host name, was already completed, or its cookie was blocked."
  throw new InvalidCheck({ provider, expected, received, hint, isExpired: true })
}

/** Whether this browser has a pending sign-in with the provider for a state. */
export async function hasOAuthTransaction(context: OAuthContext, state: string): Promise<boolean> {
  const transaction = await getOAuthCookies(context).read(state)
  return transaction?.["provider"] === context.provider.id
}
