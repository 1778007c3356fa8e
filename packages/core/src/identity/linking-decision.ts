/** Which user a proven identity belongs to. Case table: docs/accounts.md. */
import type { AdapterUser } from "../adapters.ts"
import type { EmailVerification } from "../proven-identity.ts"
import type { ProviderType } from "../types.ts"

/** All that the decision depends on. */
export interface LinkingFacts {
  readonly type: ProviderType
  /** The user that the account already belongs to. */
  readonly accountOwner: AdapterUser | null
  /** The user that has the same e-mail address. */
  readonly emailOwner: AdapterUser | null
  /** The signed-in user that asked for the account to be linked. */
  readonly linkTarget: AdapterUser | null
  /** The provider's addresses let people into existing users. */
  readonly allowEmailLinking: boolean
  readonly emailVerification: EmailVerification
}

export type LinkingDecision =
  /** The account already belongs to this user. */
  | { readonly kind: "signIn"; readonly user: AdapterUser }
  /** Asked for by this user's own session. */
  | { readonly kind: "link"; readonly user: AdapterUser }
  /** Same address, opted in, not denied. */
  | { readonly kind: "linkByEmail"; readonly user: AdapterUser }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly error: "OAuthAccountNotLinked" | "AccountNotLinked" }

export function decideLinking(facts: LinkingFacts): LinkingDecision {
  const { type, accountOwner, emailOwner, linkTarget } = facts
  // An e-mail link proves the address itself: the user that has it is the person.
  if (type === "email")
    return emailOwner ? { kind: "signIn", user: emailOwner } : { kind: "create" }
  if (accountOwner) {
    return linkTarget && linkTarget.id !== accountOwner.id
      ? refuseLinking(facts)
      : { kind: "signIn", user: accountOwner }
  }
  if (linkTarget) return { kind: "link", user: linkTarget }
  if (!emailOwner) return { kind: "create" }
  return canLinkByEmail(facts) ? { kind: "linkByEmail", user: emailOwner } : refuseLinking(facts)
}

function canLinkByEmail(facts: LinkingFacts): boolean {
  return facts.allowEmailLinking && facts.emailVerification !== "unverified"
}

function refuseLinking({ type }: LinkingFacts): LinkingDecision {
  return {
    kind: "refuse",
    error: type === "webauthn" ? "AccountNotLinked" : "OAuthAccountNotLinked",
  }
}
