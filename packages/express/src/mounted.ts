/** The configurations of this package, compiled. */
import { createMount, type Mounted } from "@latchkey/core/mounting"
import type { MiddlewareAuthConfig } from "./config.ts"

const mount = createMount({ basePath: "/auth" })

/**
 * A configuration, compiled with the environment as it is when it is used first.
 *
 * @param basePath where the application mounted the middleware
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or `basePath` does not begin with a slash
 */
export function mounted(config: MiddlewareAuthConfig, basePath?: string | undefined): Mounted {
  return mount(config, process.env, basePath)
}
