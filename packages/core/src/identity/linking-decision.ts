/** Decides which user a proven identity belongs to. Case table: docs/accounts.md. */
import type { AdapterUser } from "../adapters.ts"
import { AccountNotLinked, type ErrorDetails, OAuthAccountNotLinked } from "../errors.ts"
import type { EmailVerification } from "../proven-identity.ts"
import type { Account, ProviderType } from "../types.ts"

export interface LinkingFacts {
  readonly type: ProviderType
  /** The user to whom the account already belongs. */
  readonly accountOwner: AdapterUser | null
  /** The user who has the same e-mail address. */
  readonly emailOwner: AdapterUser | null
  /** The user whose session requested the account. */
  readonly linkTarget: AdapterUser | null
  /** Whether the application trusts the provider's addresses to identify users. */
  readonly allowEmailLinking: boolean
  readonly emailVerification: EmailVerification
}

export type LinkingDecision =
  /**
   * The account already belongs to this user; this user's own session requested the account; or this user has the same
   * address, the application opted in, and the address is not unverified.
   */
  | { readonly kind: "signIn" | "link" | "linkByEmail"; readonly user: AdapterUser }
  | { readonly kind: "create" | "refuse" }

export function decideLinking(facts: LinkingFacts): LinkingDecision {
  const { type, accountOwner, emailOwner, linkTarget, allowEmailLinking, emailVerification } = facts
  const create: LinkingDecision = { kind: "create" }
  const refuse: LinkingDecision = { kind: "refuse" }
  // An e-mail link proves the address itself, so its owner is the user.
  if (type === "email") return emailOwner ? { kind: "signIn", user: emailOwner } : create
  if (accountOwner) {
    if (linkTarget && linkTarget.id !== accountOwner.id) return refuse
    return { kind: "signIn", user: accountOwner }
  }
  if (linkTarget) return { kind: "link", user: linkTarget }
  if (!emailOwner) return create
  const canLinkByEmail = allowEmailLinking && emailVerification !== "unverified"
  return canLinkByEmail ? { kind: "linkByEmail", user: emailOwner } : refuse
}

/** Creates the error for an account that belongs to another user, or whose address does. */
export function createNotLinkedError({ provider, type }: Account, details: ErrorDetails): Error {
  const NotLinked = type === "webauthn" ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked({ provider, ...details })
}

/** Texts of the error report for each decision. */
const decisionTexts = {
  signIn: "the account, or the address of the link, belongs to a user",
  link: "the account is added to the signed-in user who requested it",
  linkByEmail: "the address belongs to a user, and the provider may link by address",
  create: "nobody has the account or the address: a new user",
  refuse: "the account, or its address, belongs to another user",
}

export function describeDecision(decision: LinkingDecision | undefined): string {
  return decision ? decisionTexts[decision.kind] : "as the provider describes them"
}
