/** Which user a proven identity belongs to. Case table: docs/accounts.md. */
import type { AdapterUser } from "../adapters.ts"
import type { EmailStanding } from "../proof.ts"
import type { ProviderType } from "../types.ts"

/** All that the decision depends on. */
export interface LinkingFacts {
  readonly type: ProviderType
  /** The user that the account already belongs to. */
  readonly owner: AdapterUser | null
  /** The user that has the same e-mail address. */
  readonly sameEmail: AdapterUser | null
  /** The signed-in user that asked for the account to be linked. */
  readonly linkFor: AdapterUser | null
  /** The provider's addresses let people into existing users. */
  readonly joinsByEmail: boolean
  readonly emailStanding: EmailStanding
}

export type Decision =
  /** The account already belongs to this user. */
  | { readonly kind: "known"; readonly user: AdapterUser }
  /** Asked for by this user's own session. */
  | { readonly kind: "link"; readonly user: AdapterUser }
  /** Same address, opted in, not denied. */
  | { readonly kind: "join"; readonly user: AdapterUser }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly error: "OAuthAccountNotLinked" | "AccountNotLinked" }

export function decide(facts: LinkingFacts): Decision {
  const { type, owner, sameEmail, linkFor } = facts
  // An e-mail link proves the address itself: the user that has it is the person.
  if (type === "email") return sameEmail ? { kind: "known", user: sameEmail } : { kind: "create" }
  if (owner) {
    return linkFor && linkFor.id !== owner.id ? refuse(facts) : { kind: "known", user: owner }
  }
  if (linkFor) return { kind: "link", user: linkFor }
  if (!sameEmail) return { kind: "create" }
  return mayJoin(facts) ? { kind: "join", user: sameEmail } : refuse(facts)
}

function mayJoin(facts: LinkingFacts): boolean {
  return facts.joinsByEmail && facts.emailStanding !== "denied"
}

function refuse({ type }: LinkingFacts): Decision {
  return {
    kind: "refuse",
    error: type === "webauthn" ? "AccountNotLinked" : "OAuthAccountNotLinked",
  }
}
