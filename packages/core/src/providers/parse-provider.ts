/** From an entry of `providers` to a provider definition with a valid id and type. */

import { describeValue, isPromise } from "../errors/describe-value.ts"
import { InvalidProvider } from "../errors.ts"
import { isPlainObject } from "../objects.ts"
import type { ProviderType } from "../types.ts"
import { getProviderFixes, readGitHubAddress } from "./authjs-compat.ts"
import { mergeDefinition, type PlainObject } from "./merge-definition.ts"

const providerTypes: readonly unknown[] = [
  "oauth",
  "oidc",
  "email",
  "credentials",
  "webauthn",
] satisfies ProviderType[]

const providerIdPattern = /^[A-Za-z0-9._~-]{1,64}$/

export interface ParsedProvider {
  readonly id: string
  readonly type: ProviderType
  /** The provider's own fields with the application's options merged in. */
  readonly definition: PlainObject
  /** The provider object as it was written. */
  readonly source: object
}

/**
 * Parses an entry of `providers`: a provider object, or a function that returns one.
 *
 * @param option where the entry is, such as `providers[0]`
 * @throws InvalidProvider when the entry is not a provider, and whatever the function throws
 */
export function parseProvider(entry: unknown, option: string): ParsedProvider {
  const source: unknown = typeof entry === "function" ? entry({}) : entry
  if (typeof source !== "object" || source === null || !looksLikeProvider(source)) {
    throw new InvalidProvider({
      option,
      expected: `\`${option}\` to be a provider object, or a function that returns one`,
      received: describeValue(entry),
      hint: suggestFix(source),
    })
  }
  const definition = buildDefinition(source)
  const { id, type } = definition
  if (typeof id !== "string" || !providerIdPattern.test(id) || id === "undefined") {
    throw new InvalidProvider({
      option: `${option}.id`,
      expected: `\`id\` of \`${option}\` to be 1 to 64 letters, digits, dots, dashes or underscores`,
      received: describeValue(id),
      hint: "Choose a short word, because the id is part of the callback URL.",
    })
  }
  if (!isProviderType(type)) {
    throw new InvalidProvider({
      option: `providers.${id}.type`,
      provider: id,
      expected: `\`type\` of provider \`${id}\` to be oauth, oidc, email, credentials or webauthn`,
      received: describeValue(type),
      hint: "Use `oidc` for a provider with an ID token and metadata, and `oauth` for any other OAuth 2 provider.",
    })
  }
  return { id, type, definition, source }
}

function isProviderType(type: unknown): type is ProviderType {
  return providerTypes.includes(type)
}

/** A provider that lacks an `id` by mistake still has a `type`. */
function looksLikeProvider(value: object): boolean {
  return "id" in value || "type" in value
}

/** Suggests a fix for the most likely mistake. */
function suggestFix(value: unknown): string {
  if (isPromise(value))
    return "Await it, and use the `default` export of the module: `(await import(…)).default`."
  if (Array.isArray(value)) return "Spread the list: `providers: [...more, google]`."
  if (typeof value === "string")
    return `Import it from "@latchkey/core/providers/${value.slice(0, 40)}".`
  if (typeof value !== "object" || value === null) {
    return "Leave out conditional entries, as in `[google, ...(isLocal ? [fake] : [])]`."
  }
  return "default" in value
    ? "This is a whole module. Use its default export: `import google from …`, without `* as`."
    : "Give it at least `id`, `name` and `type`, or create it with a function of @latchkey/core/providers."
}

/** Merges the application's options over the provider's own fields, and fills in `{issuer}`. */
function buildDefinition(provider: object): PlainObject {
  const { options, ...builtInFields } = provider as PlainObject
  const configured = isPlainObject(options)
    ? mergeDefinition(builtInFields, options)
    : builtInFields
  const issuer = configured["issuer"]
  const merged = { ...getProviderFixes(provider, issuer), ...readGitHubAddress(configured) }
  return typeof issuer === "string" ? fillIssuer(merged, issuer.replace(/\/$/, "")) : merged
}

/** Endpoints can be relative to an issuer that only the environment knows. */
function fillIssuer(fields: PlainObject, issuer: string): PlainObject {
  const entries = Object.entries(fields).map(([key, value]) => {
    if (typeof value === "string") return [key, value.replace(/^\{issuer\}/, issuer)]
    return [key, isPlainObject(value) && "url" in value ? fillIssuer(value, issuer) : value]
  })
  return Object.fromEntries(entries)
}
