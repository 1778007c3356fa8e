/** What is no provider at all, and what its author most likely meant. */
import { InvalidProvider } from "../errors.ts"
import type { ProviderConfig } from "../providers/types.ts"
import { describeValue, isPromise } from "./option-check.ts"

const providerTypes: ReadonlySet<unknown> = new Set([
  "oauth",
  "oidc",
  "email",
  "credentials",
  "webauthn",
])
const providerIdPattern = /^[A-Za-z0-9._~-]{1,64}$/

/**
 * The provider object that an entry is or makes.
 *
 * @param option where it is written, such as `providers[0]`
 * @throws InvalidProvider for what is none, and whatever a function throws
 */
export function parseProvider(entry: unknown, option: string): ProviderConfig {
  const provider: unknown = typeof entry === "function" ? entry({}) : entry
  if (typeof provider !== "object" || provider === null || !looksLikeProvider(provider)) {
    throw createInvalidProvider(option, entry, suggestFix(provider))
  }
  const { id, type } = provider as { id: unknown; type?: unknown }
  if (typeof id !== "string" || !providerIdPattern.test(id) || id === "undefined") {
    throw new InvalidProvider({
      option: `${option}.id`,
      expected: `\`id\` of \`${option}\` to be 1 to 64 letters, digits, dots, dashes or underscores`,
      received: describeValue(id),
      hint: "It is part of the callback URL, so choose a short word.",
    })
  }
  if (!providerTypes.has(type)) {
    throw new InvalidProvider({
      option: `providers.${id}.type`,
      provider: id,
      expected: `\`type\` of provider \`${id}\` to be oauth, oidc, email, credentials or webauthn`,
      received: describeValue(type),
      hint: "`oidc` is for providers with an ID token and metadata, `oauth` for all others of OAuth 2.",
    })
  }
  return provider as ProviderConfig // its own fields are looked at one by one later
}

/** Whether it means to be a provider; what has no id by mistake has a type. */
function looksLikeProvider(value: object): boolean {
  return "id" in value || "type" in value
}

function createInvalidProvider(option: string, entry: unknown, hint: string): InvalidProvider {
  return new InvalidProvider({
    option,
    expected: `\`${option}\` to be a provider object, or a function that returns one`,
    received: describeValue(entry),
    hint,
  })
}

/** What most likely happened. */
function suggestFix(value: unknown): string {
  if (isPromise(value))
    return "Wait for it, and take the `default` of the module: `(await import(…)).default`."
  if (Array.isArray(value))
    return "Spread the list into the others: `providers: [...more, google]`."
  if (typeof value === "string")
    return `Import it from "@latchkey/core/providers/${value.slice(0, 40)}".`
  if (typeof value !== "object" || value === null) {
    return "Leave out what is not there, as in `[google, ...(isLocal ? [fake] : [])]`."
  }
  return "default" in value
    ? "A whole module was imported. Take its default: `import google from …`, without `* as`."
    : "Give it at least `id`, `name` and `type`, or make it with a function of @latchkey/core/providers."
}
