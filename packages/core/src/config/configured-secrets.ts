import { isPlainObject } from "../providers/merge-definition.ts"
import type { AuthConfig } from "./auth-config.ts"

const secretOptionName = /secret|apiKey|pass/i

/** Returns the secrets in a configuration, which no log line may contain. */
export function collectConfiguredSecrets({
  secret,
  jwt,
  providers,
}: Partial<AuthConfig>): string[] {
  return [...collectSecretStrings({ secret, jwt, providers }, false, 6)]
}

function* collectSecretStrings(
  value: unknown,
  isSecret: boolean,
  depth: number,
): Generator<string> {
  if (depth === 0) return
  if (typeof value === "string") {
    if (isSecret) yield value
  } else if (Array.isArray(value)) {
    for (const item of value) yield* collectSecretStrings(item, isSecret, depth - 1)
  } else if (isPlainObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield* collectSecretStrings(item, isSecret || secretOptionName.test(name), depth - 1)
    }
  }
}
