/** Resolves the providers one by one, so that an invalid one does not hide the problems of the others. */
import { AuthError, DuplicateProvider, InvalidProvider } from "../errors.ts"
import { resolveProvider } from "../providers/resolve-provider.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"

/** @param problems receives the errors of invalid providers */
export function resolveProviders(
  { providers: entries, redirectProxyUrl }: Partial<AuthConfig>,
  problems: AuthError[],
): ReadonlyMap<string, ResolvedProvider> {
  const providers = new Map<string, ResolvedProvider>()
  for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
    const option = `providers[${index}]`
    try {
      const provider = resolveProvider(entry, option, redirectProxyUrl)
      if (providers.has(provider.id)) problems.push(createDuplicateProvider(provider.id, option))
      providers.set(provider.id, provider)
    } catch (error) {
      problems.push(error instanceof AuthError ? error : createUnusableProvider(error, option))
    }
  }
  return providers
}

function createDuplicateProvider(id: string, option: string): DuplicateProvider {
  return new DuplicateProvider({
    option,
    provider: id,
    expected: "every provider to have its own `id`",
    received: `\`${id}\` twice`,
    hint: `Set another one, such as \`id: "${id}-2"\`. This changes its callback URL and environment variables.`,
  })
}

function createUnusableProvider(cause: unknown, option: string): InvalidProvider {
  return new InvalidProvider({
    option,
    expected: `\`${option}\` to be a valid provider`,
    received: cause instanceof Error ? cause.message : String(cause),
    hint: "Compare its fields with the types of @latchkey/core/providers.",
    cause,
  })
}
