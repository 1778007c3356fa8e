/**
 * The errors of the code that loads at the start, which imports them from here, and of session checks. The others load
 * with the sign-ins and the functions for server code that throw them.
 */
export { AuthError, type ErrorCause, type ErrorDetails, SignInError } from "./auth-error.ts"
export { isClientError } from "./client-error.ts"
export * from "./configuration-errors.ts"
export * from "./request-errors.ts"
