/** The guard of pages for users who have authenticated recently. Its rule loads with the first request. */
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { findSignInUrl as FindSignInUrl } from "./sign-in-url.ts"

export type { FreshSessionOptions, GuardedRequest } from "./sign-in-url.ts"

export const findSignInUrl: typeof FindSignInUrl = loadOnFirstCall(
  async () => (await import("./sign-in-url.ts")).findSignInUrl,
)
