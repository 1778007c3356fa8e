/** Notes on the one way in: who somebody proved to be, and what is made of it. */
import { describeShape, type ErrorReportRecorder } from "../http/error-report.ts"
import type { SignInDecision } from "../identity/authorize-sign-in.ts"
import type { FoundUser } from "../identity/sign-in-user.ts"
import type { ProvenIdentity } from "../proven-identity.ts"

export function recordIdentity(
  trace: ErrorReportRecorder,
  { account, profile, user, emailVerification }: ProvenIdentity,
): void {
  if (!trace.isEnabled) return
  const { provider, type, providerAccountId } = account
  trace.recordStep({
    name: "Who it is",
    received: [
      `an account of ${provider} (${type}) with an id of ${describeShape(providerAccountId)}`,
      user.email ? `the address ${user.email}` : "no address",
      ...(type === "oauth" || type === "oidc"
        ? [`which the provider ${emailVerificationTexts[emailVerification]}`]
        : []),
      ...(profile ? [`a profile with ${Object.keys(profile).join(", ")}`] : []),
    ].join(", "),
    isAsExpected: true,
  })
}

const emailVerificationTexts = {
  verified: "says is theirs",
  unverified: "says is not proven to be theirs",
  unknown: "says nothing about",
} as const

const decisionTexts = {
  signIn: "the account, or the address of a link, belongs to a user already",
  link: "the account is added to the user who is signed in and asked for it",
  linkByEmail: "the address belongs to a user, and the provider may join users by address",
  create: "nobody has the account or the address: a new user",
  refuse: "the account, or its address, belongs to another user",
} as const

export function recordResolution(trace: ErrorReportRecorder, { decision }: FoundUser): void {
  if (!trace.isEnabled) return
  const received = decision
    ? decisionTexts[decision.kind]
    : "nothing is stored: the person as they are"
  trace.recordStep({ name: "Which user", received, isAsExpected: decision?.kind !== "refuse" })
}

export function recordSignInDecision(
  trace: ErrorReportRecorder,
  signInDecision: SignInDecision,
): void {
  if (!trace.isEnabled) return
  const received = signInDecision.kind === "allowed" ? "yes" : "somewhere else, as it says"
  trace.recordStep({ name: "`signIn` callback", expected: "yes", received, isAsExpected: true })
}
