/** The addresses of e-mail sign-ins. */
import { createHasher, type Hasher } from "../../crypto/digest.ts"
import { InvalidEmail } from "../../errors.ts"
import type { ProvenIdentity } from "../../proven-identity.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import { type FlowContext, requireStore } from "../flow.ts"
import { normalizeEmailAddress } from "./email-address.ts"

export interface EmailContext extends FlowContext {
  readonly provider: ResolvedEmailProvider
}

/** Returns the hasher for links and codes: with the provider's own secret, or that of the configuration. */
export function getHasher({ hasher, provider }: EmailContext): Hasher {
  const { secret } = provider.definition
  return secret === undefined ? hasher : createHasher([secret].flat())
}

/**
 * Matches the identifiers that any `normalizeIdentifier` may return: without characters that could end a header or add
 * addresses, and not an option of a program such as sendmail.
 */
export const identifierPattern: RegExp = /^(?!-)[^\s\p{Cc},;"<>@]+(?:@[^\s\p{Cc},;"<>@]+)?$/u

/**
 * Normalizes the address that a user typed.
 *
 * @throws InvalidEmail
 */
export async function normalizeIdentifier(
  { id: provider, definition: { normalizeIdentifier: normalize } }: ResolvedEmailProvider,
  input: unknown,
): Promise<string> {
  if (!normalize) return normalizeEmailAddress(input)
  let address: unknown
  try {
    // Awaited although its type is synchronous, so that a rejection does not go unhandled.
    address = typeof input === "string" ? await normalize(input) : undefined
  } catch (cause) {
    throw new InvalidEmail("`normalizeIdentifier` refused it.", { provider, cause })
  }
  if (typeof address === "string" && address.length <= 320 && identifierPattern.test(address))
    return address
  throw new InvalidEmail({ provider, expected: "one e-mail address" })
}

/** Creates the identity that a link to an address proves. Stores and sends nothing. */
export async function createEmailIdentity(
  context: EmailContext,
  email: string,
): Promise<ProvenIdentity> {
  const { provider } = context
  const existingUser = await requireStore(context).getUserByEmail(email)
  const user = existingUser ?? { id: crypto.randomUUID(), email, emailVerified: null }
  const accountKey = { provider: provider.id, type: "email", providerAccountId: email } as const
  const account = { ...accountKey, userId: user.id }
  return { user, account, emailVerification: "verified", storedAccount: accountKey }
}
