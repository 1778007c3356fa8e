import { AuthError } from "../errors.ts"

/** Creates the error for a request that takes too long. */
export const createTimeoutError = (seconds: number): AuthError =>
  new AuthError({
    expected: `callbacks and adapter to finish within ${seconds} s`,
    isTemporary: true,
    hint: "Set a timeout where your callbacks, hooks, database or mail server wait.",
  })
