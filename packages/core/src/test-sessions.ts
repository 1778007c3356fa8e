/** For `@latchkey/testing` of the same version: what starts a session. Applications have no use for it. */
export { resetAttemptLimits } from "./actions/limits/attempt-counter.ts"
export { replaceMethods } from "./config/adapter-store.ts"
export { type CoreServices, createCoreServices } from "./config/core-services.ts"
export { resolveConfig } from "./config/resolve-config.ts"
export { SessionContext } from "./http/session-context.ts"
export type { SignInResult } from "./proven-identity.ts"
export { createSessionStrategy } from "./sessions/create-session-strategy.ts"
