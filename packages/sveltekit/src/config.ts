import type { AuthConfig } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"

/** The configuration. It is compiled once, and never written to. */
export type CompiledAuthConfig = Omit<AuthConfig, "raw">

/**
 * Creates the configuration from values that only a request has, such as `event.platform`. It is called once per
 * request. An object that it returns again is not compiled again.
 */
export type LazyConfig = (event: RequestEvent) => CompiledAuthConfig | Promise<CompiledAuthConfig>
