import type { AuthConfig } from "@latchkey/core"

/** The configuration. Pass the same object everywhere: it is compiled once, and never written to. */
export type MiddlewareAuthConfig = Omit<AuthConfig, "raw">
