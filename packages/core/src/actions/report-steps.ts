/** Describes the steps of a sign-in for the error report. */
import { describeShape } from "../http/error-report.ts"
import type { LinkingDecision } from "../identity/linking-decision.ts"
import type { ProvenIdentity } from "../proven-identity.ts"

export function describeIdentity(identity: ProvenIdentity): string {
  const { account, profile, user, emailVerification } = identity
  const { provider, type, providerAccountId } = account
  const facts = [
    `an account of ${provider} (${type}) with an id of ${describeShape(providerAccountId)}`,
    user.email ? `the address ${user.email} (${emailVerification})` : "no address",
    ...(profile ? [`a profile with ${Object.keys(profile).join(", ")}`] : []),
  ]
  return facts.join(", ")
}

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
