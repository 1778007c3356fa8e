import { isPlainObject } from "../providers/merge.ts"
import type { AuthConfig } from "./auth-config.ts"

const secretOption = /secret|apiKey|pass/i

/** What an application keeps secret in its configuration: no log line may have it. */
export function ownSecrets({ secret, jwt, providers }: Partial<AuthConfig>): string[] {
  return [...textsUnder({ secret, jwt, providers }, false, 6)]
}

function* textsUnder(value: unknown, isSecret: boolean, depth: number): Generator<string> {
  if (depth === 0) return
  if (typeof value === "string") {
    if (isSecret) yield value
  } else if (Array.isArray(value)) {
    for (const item of value) yield* textsUnder(item, isSecret, depth - 1)
  } else if (isPlainObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield* textsUnder(item, isSecret || secretOption.test(name), depth - 1)
    }
  }
}
