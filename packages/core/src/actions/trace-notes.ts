/** Notes on the one way in: who somebody proved to be, and what is made of it. */
import { shapeOf, type Trace } from "../http/trace.ts"
import type { Admission } from "../identity/admit.ts"
import type { Resolution } from "../identity/resolve.ts"
import type { Identity } from "../proof.ts"

export function noteIdentity(
  trace: Trace,
  { account, profile, user, emailStanding }: Identity,
): void {
  if (!trace.on) return
  const { provider, type, providerAccountId } = account
  trace.note({
    name: "Who it is",
    came: [
      `an account of ${provider} (${type}) with an id of ${shapeOf(providerAccountId)}`,
      user.email ? `the address ${user.email}` : "no address",
      ...(type === "oauth" || type === "oidc"
        ? [`which the provider ${standings[emailStanding]}`]
        : []),
      ...(profile ? [`a profile with ${Object.keys(profile).join(", ")}`] : []),
    ].join(", "),
    fits: true,
  })
}

const standings = {
  proven: "says is theirs",
  denied: "says is not proven to be theirs",
  unsaid: "says nothing about",
} as const

const decisions = {
  known: "the account, or the address of a link, belongs to a user already",
  link: "the account is added to the user who is signed in and asked for it",
  join: "the address belongs to a user, and the provider may join users by address",
  create: "nobody has the account or the address: a new user",
  refuse: "the account, or its address, belongs to another user",
} as const

export function noteResolution(trace: Trace, { decision }: Resolution): void {
  if (!trace.on) return
  const came = decision ? decisions[decision.kind] : "nothing is stored: the person as they are"
  trace.note({ name: "Which user", came, fits: decision?.kind !== "refuse" })
}

export function noteAdmission(trace: Trace, admission: Admission): void {
  if (!trace.on) return
  const came = admission.kind === "admitted" ? "yes" : "somewhere else, as it says"
  trace.note({ name: "`signIn` callback", expected: "yes", came, fits: true })
}
