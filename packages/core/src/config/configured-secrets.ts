/** Collects secrets for redaction. The secrets that encrypt and hash are `secrets` of the `ResolvedConfig`. */
import { isPlainObject } from "../objects.ts"
import type { AuthConfig } from "./auth-config.ts"

const secretOptionName = /secret|apiKey|pass/i

/** The maximum nesting of options. */
const maxDepth = 6

/** Returns the secrets in a configuration, which no log line may contain. */
export function collectConfiguredSecrets(config: Partial<AuthConfig>): string[] {
  const { secret, redirectProxySecret, jwt, providers } = config
  const options = { secret, redirectProxySecret, jwt, providers }
  return collectSecretStrings(options, false, maxDepth)
}

function collectSecretStrings(value: unknown, isSecret: boolean, depth: number): string[] {
  if (depth === 0) return []
  if (typeof value === "string") return isSecret ? [value] : []
  if (!Array.isArray(value) && !isPlainObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    collectSecretStrings(item, isSecret || secretOptionName.test(name), depth - 1),
  )
}
