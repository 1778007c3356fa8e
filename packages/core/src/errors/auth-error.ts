/** The base of all errors: a stable type, the facts of the failure, and what to change. */

import { createMessage, type ErrorDetails } from "./error-details.ts"
import type { ErrorType } from "./error-type.ts"

/** What an error knows of its circumstances. `err` is the original error, where there was one. */
export interface ErrorCause extends Record<string, unknown> {
  err?: Error
}

/**
 * Base class of all errors of the library.
 *
 * A message that is composed of facts says what was expected, what came and what to change. A message that is given
 * as text stays as it is, but for such facts beside it; `hint` says what to change either way.
 */
export class AuthError extends Error {
  /** Stable name of the class of failure. */
  static type: ErrorType | "AuthError" = "AuthError"
  /** Stable name of the class of failure. */
  readonly type: ErrorType | "AuthError"
  /** Which page tells the person: the sign-in page (`signIn`) or the error page (`error`). */
  static kind: "error" | "signIn" = "error"
  /** Which page tells the person: the sign-in page (`signIn`) or the error page (`error`). */
  readonly kind: "error" | "signIn"
  /** What helps against most failures of the class. */
  static hint: string = ""
  /** The facts of the failure; `err` is the original error. */
  declare readonly cause?: ErrorCause

  /**
   * @param message what went wrong, or the original error, or facts from which a message is composed
   * @param details more facts; an `Error` here becomes `cause.err`
   */
  constructor(message?: string | Error | ErrorDetails, details?: Error | ErrorDetails) {
    super(createMessage(message, details, new.target.hint))
    const cause = createCause(message, details)
    this.name = new.target.name
    this.type = new.target.type
    this.kind = new.target.kind
    if (cause) this.cause = cause
  }

  /** What to change: said for this failure, or else for all of its class; empty when nobody knows. */
  get hint(): string {
    const { hint } = this.cause ?? {}
    return typeof hint === "string" ? hint : (this.constructor as typeof AuthError).hint
  }

  /** Where the documentation tells more. */
  get docs(): string {
    return `docs/errors.md#${this.type.toLowerCase()}`
  }
}

function createCause(first: unknown, second: unknown): ErrorCause | undefined {
  const cause: ErrorCause = {}
  for (const part of [first, second]) {
    if (part instanceof Error) mergeError(cause, part)
    else if (typeof part === "object" && part !== null) {
      const { cause: innerCause, ...facts } = part as ErrorDetails
      Object.assign(cause, facts)
      if (innerCause instanceof Error) mergeError(cause, innerCause)
      else if (typeof innerCause === "object" && innerCause !== null)
        Object.assign(cause, innerCause)
      // Thrown without being an error: all there is to know of it is its text.
      else if (innerCause !== undefined) cause.err = new Error(String(innerCause))
    }
  }
  return Object.keys(cause).length > 0 ? cause : undefined
}

function mergeError(cause: ErrorCause, error: Error): void {
  if (error instanceof AuthError && error.cause) Object.assign(cause, { ...error.cause, ...cause })
  cause.err = error
}

/** Base of the errors that are shown on the sign-in page. */
export class SignInError extends AuthError {
  static override kind = "signIn" as const
}
