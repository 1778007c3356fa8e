/** Decides whether a fault did harm. */
import type { FlowRun, State } from "./run-flow.ts"

/** The ways in which a fault can break a promise. */
export type ViolationKind =
  | "goes on"
  | "redirects"
  | "session"
  | "rows"
  | "retry"
  | "other sessions"
  | "log"

export interface Violation {
  readonly kind: ViolationKind
  readonly detail: string
}

/** Lists what is wrong with a run that had a fault, compared with one that had none. */
export function findViolations(run: FlowRun, clean: FlowRun): Violation[] {
  const { before, after, retried } = run
  const violations: Violation[] = []
  const check = (isRight: boolean, kind: ViolationKind, detail: string) =>
    void (isRight || violations.push({ kind, detail }))
  const isUnchanged = after.user === before.user && hasSameRows(after, before)
  const isElsewhere = !run.isRefused && isUnchanged && run.location !== clean.location
  const isDone = !run.isRefused && !isElsewhere
  check(!isElsewhere, "redirects", String(run.location))
  check(!isDone, "goes on", "the flow succeeds")
  // Either the flow did all that it is for, or it left the visitor as they were.
  check(after.user === (isDone ? clean.after : before).user, "session", `of ${after.user}`)
  if (isDone) check(run.shownUser === clean.shownUser, "session", `shows ${run.shownUser}`)
  const isWhole = hasSameRows(after, clean.after) || (!isDone && hasSameRows(after, before))
  check(isWhole, "rows", after.users.join("; "))
  check(!run.isRetryRefused, "retry", "refused")
  check(!retried || retried.user === clean.after.user, "retry", `session of ${retried?.user}`)
  check(!retried || hasSameRows(retried, clean.after), "retry", `${retried?.users.join("; ")}`)
  check(run.keepsOthers, "other sessions", "ended")
  check(run.leaks.length === 0, "log", run.leaks.join(", "))
  return violations
}

function hasSameRows(a: State, b: State): boolean {
  return a.users.join("\n") === b.users.join("\n")
}
