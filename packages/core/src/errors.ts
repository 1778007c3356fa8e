/**
 * The errors of the library. Each has a stable `type`; nothing else of an error is meant to be parsed.
 * `docs/errors` has a page for every type.
 */

export * from "./errors/account-errors.ts"
export * from "./errors/core-errors.ts"
export type { ErrorType } from "./errors/error-type.ts"
export * from "./errors/refusal-errors.ts"
export * from "./errors/session-errors.ts"
export * from "./errors/sign-in-errors.ts"
