/**
 * The errors of the library. Each has a stable `type`; nothing else of an error is meant to be parsed.
 * `docs/errors` has a page for every type.
 */
export { isClientError } from "./errors/classify-error.ts"
export * from "./errors/error-classes.ts"
export { LastFactor } from "./errors/last-factor.ts"
