/** One sign-in attempt: what has to come back unchanged, sealed in a cookie of its own. */
import { flowLifetime } from "../../config/cookies.ts"
import type { Sealer } from "../../crypto/seal.ts"
import { InvalidCheck } from "../../errors.ts"
import type { Visit } from "../../http/exchange.ts"
import { beginAttempt, reasonOfAbsence, type Shelf, takeAttempt } from "../attempts.ts"
import type { LinkRequest } from "../proof.ts"

/** What a sign-in remembers of its beginning. */
export interface Transaction {
  /** Id of the provider. */
  readonly provider: string
  /** PKCE (RFC 7636); absent when the provider is not asked for it. */
  readonly verifier?: string
  /** OpenID Connect Core 3.1.2.1; absent when PKCE does its work. */
  readonly nonce?: string
  readonly callbackUrl: string
  readonly redirectUri: string
  readonly link?: LinkRequest
  /** When it began, in seconds; said by the seal. */
  readonly iat?: number
}

/** @param crossSite the provider answers with a form that it posts across sites */
function shelf(visit: Visit, crossSite: boolean): Shelf {
  return { cookie: visit.table.state, purpose: "transaction", crossSite }
}

/** Seals a transaction into its cookie. */
export async function beginTransaction(
  visit: Visit,
  sealer: Sealer,
  state: string,
  transaction: Transaction,
  crossSite: boolean,
): Promise<void> {
  await beginAttempt(visit, sealer, shelf(visit, crossSite), state, transaction)
}

/**
 * Takes the transaction that a state belongs to. Its cookie is used up, whatever comes of it.
 *
 * @throws InvalidCheck when this browser began no such sign-in, or too long ago, or with another provider
 */
export async function takeTransaction(
  visit: Visit,
  sealer: Sealer,
  state: string | null,
  provider: string,
  crossSite: boolean,
): Promise<Transaction> {
  const own = shelf(visit, crossSite)
  const opened = await takeAttempt(visit, sealer, own, state ?? "")
  if (!opened) throw refused(visit, provider, await reasonOfAbsence(visit, own, state))
  const transaction = opened as unknown as Transaction // sealed by `beginTransaction`
  if (transaction.provider === provider) return transaction
  throw refused(visit, provider, `the state of a sign-in with ${transaction.provider}`)
}

function refused({ trace }: Visit, provider: string, came: string): InvalidCheck {
  const expected = "the state of a sign-in begun in this browser with this provider"
  trace.note({ name: "Sign-in under way", expected, came, fits: false })
  return new InvalidCheck({
    provider,
    expected,
    came,
    hint:
      `The sign-in took longer than ${flowLifetime / 60} minutes, was begun in another browser or under ` +
      "another host name, was already used, or its cookie was blocked.",
  })
}
