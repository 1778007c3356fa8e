export { resetAttemptLimits } from "@latchkey/core/test-sessions"
export { createTestSession, createTestSessionCookies } from "./session/create-test-session.ts"
export type { TestSessionAdapter, TestSessionConfig } from "./session/test-session-config.ts"
export type { TestSession, TestSessionOptions, TestUser } from "./session/types.ts"
