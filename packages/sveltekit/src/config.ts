import type { AuthConfig } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"

/** The configuration. It is compiled once, and never written to. */
export type CompiledAuthConfig = Omit<AuthConfig, "raw">

/**
 * A configuration that depends on what only a request brings along, such as `event.platform`. Called once for each
 * request; where it returns the same object as before, that is not compiled again.
 */
export type LazyConfig = (event: RequestEvent) => CompiledAuthConfig | Promise<CompiledAuthConfig>
