/**
 * The errors of the library. Each has a stable `type`; nothing else of an error is meant to be parsed.
 * `docs/errors` has a page for every type.
 */

export * from "./errors/account-errors.ts"
export { AuthError, type ErrorCause, type ErrorDetails, SignInError } from "./errors/auth-error.ts"
export { isClientError } from "./errors/client-error.ts"
export * from "./errors/configuration-errors.ts"
export type { ErrorType } from "./errors/error-type.ts"
export * from "./errors/request-errors.ts"
export * from "./errors/sign-in-errors.ts"
