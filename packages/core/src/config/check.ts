import type { AuthError } from "../errors.ts"

/** The errors of a check: none when it passes. */
export type ConfigCheck = readonly AuthError[]

/** The details of an error. */
export interface CheckDetails extends Record<string, unknown> {
  /** Where the option is, such as `session.maxAge` or `providers.google.clientId`. */
  readonly option: string
  readonly expected: string
  readonly received?: string
  /** @defaultValue the hint of the error class */
  readonly hint?: string
}

/** Returns an error of the class unless `isValid`. */
export function check(
  isValid: boolean,
  ErrorClass: new (details: CheckDetails) => AuthError,
  details: CheckDetails,
): ConfigCheck {
  return isValid ? [] : [new ErrorClass(details)]
}

/** Returns what a function throws, or undefined. */
export function catchError(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
