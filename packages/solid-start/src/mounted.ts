/** The configurations of this package, compiled. */
import type { AuthConfig } from "@latchkey/core"
import { createMount, type Mounted } from "@latchkey/core/mounting"
import type { ReactiveAuthConfig } from "./config.ts"

const mount = createMount({ basePath: "/api/auth" })

// The core compiles an object once, and knows no `prefix`.
const translated = new WeakMap<ReactiveAuthConfig, AuthConfig>()

/**
 * A configuration, compiled with the environment as it is when it is used first.
 *
 * @throws TypeError when `AUTH_URL` is no http(s) URL, or `prefix` does not begin with a slash
 */
export function mounted(config: ReactiveAuthConfig): Mounted {
  return mount(withBasePath(config), globalThis.process?.env ?? {})
}

function withBasePath(config: ReactiveAuthConfig): AuthConfig {
  const known = translated.get(config)
  if (known) return known
  const { prefix, ...rest } = config
  const own = prefix === undefined ? rest : { ...rest, basePath: prefix }
  translated.set(config, own)
  return own
}
