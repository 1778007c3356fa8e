/** The errors of a configuration that load with the first request that it refuses. */
import { AuthError } from "./auth-error.ts"

/** The page of `pages.error` redirects to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
  static override hint =
    "Allow everyone to open the page of `pages.error`: it must not require a sign-in."
}

/** A configuration has several errors, which are in `problems`. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const
  static override hint = "Fix all of them: every request is refused until then."
  /** The errors in the configuration. */
  readonly problems: readonly AuthError[]

  constructor(problems: readonly AuthError[]) {
    const list = problems.map(({ type, message }, index) => `${index + 1}. ${type}: ${message}`)
    super(`The configuration has ${problems.length} problems. ${list.join(" ")}`)
    this.problems = problems
  }
}
