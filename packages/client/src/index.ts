/** The client for browsers. It needs no framework, and sends no request until you call one of its functions. */

export {
  ClientError,
  type ClientFailure,
  type CredentialsFailure,
  type OfflineFailure,
  type RateLimitedFailure,
  type RefusedFailure,
  type UnavailableFailure,
} from "./client-failure.ts"
export type * from "./client-types.ts"
export { createClient, withBasePath } from "./create-client.ts"
export * from "./default-client.ts"
