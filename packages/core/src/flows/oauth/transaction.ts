/** One sign-in attempt: what has to come back unchanged, sealed in a cookie of its own. */
import { pendingSignInMaxAge } from "../../config/cookie-definitions.ts"
import type { Sealer } from "../../crypto/sealer.ts"
import { InvalidCheck } from "../../errors.ts"
import type { SessionContext } from "../../http/action-request.ts"
import type { LinkRequest } from "../flow-result.ts"
import {
  consumeTransaction,
  describeMissingTransaction,
  saveTransaction,
  type TransactionCookieStore,
} from "../transaction-cookies.ts"

/** What a sign-in remembers of its beginning. */
export interface OAuthTransaction {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636); absent when the provider is not asked for it. */
  readonly codeVerifier?: string
  /** OpenID Connect Core 3.1.2.1; absent when PKCE does its work. */
  readonly nonce?: string
  readonly callbackUrl: string
  readonly redirectUri: string
  readonly linkRequest?: LinkRequest
  /** When it began, in seconds; said by the seal. */
  readonly iat?: number
}

/** @param isCrossSite the provider answers with a form that it posts across sites */
function getCookieStore(context: SessionContext, isCrossSite: boolean): TransactionCookieStore {
  return { cookie: context.cookieDefinitions.state, purpose: "transaction", isCrossSite }
}

/** Seals a transaction into its cookie. */
export async function saveOAuthTransaction(
  context: SessionContext,
  sealer: Sealer,
  state: string,
  transaction: OAuthTransaction,
  isCrossSite: boolean,
): Promise<void> {
  await saveTransaction(context, sealer, getCookieStore(context, isCrossSite), state, transaction)
}

/**
 * Takes the transaction that a state belongs to. Its cookie is used up, whatever comes of it.
 *
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function consumeOAuthTransaction(
  context: SessionContext,
  sealer: Sealer,
  state: string | null,
  provider: string,
  isCrossSite: boolean,
): Promise<OAuthTransaction> {
  const cookieStore = getCookieStore(context, isCrossSite)
  const payload = await consumeTransaction(context, sealer, cookieStore, state ?? "")
  if (!payload)
    throw createStateError(
      context,
      provider,
      await describeMissingTransaction(context, cookieStore, state),
    )
  const transaction = payload as unknown as OAuthTransaction // sealed by `beginTransaction`
  if (transaction.provider === provider) return transaction
  throw createStateError(context, provider, `the state of a sign-in with ${transaction.provider}`)
}

function createStateError(
  { reportRecorder }: SessionContext,
  provider: string,
  received: string,
): InvalidCheck {
  const expected = "the state of a sign-in begun in this browser with this provider"
  reportRecorder?.record("Pending sign-in", received, false, expected)
  return new InvalidCheck({
    provider,
    expected,
    received,
    hint:
      `The sign-in took longer than ${pendingSignInMaxAge / 60} minutes, was begun in another browser or under ` +
      "another host name, was already used, or its cookie was blocked.",
  })
}
