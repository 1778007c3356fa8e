import type { AuthConfig } from "@latchkey/core"

/** The configuration. It is compiled once, and never written to. */
export type FetchAuthConfig = Omit<AuthConfig, "raw">

/**
 * Creates the configuration from the bindings that Cloudflare Workers pass with each request. It is called once for each
 * object of bindings.
 */
export type LazyConfig<Config, Env> = (env: Env) => Config
