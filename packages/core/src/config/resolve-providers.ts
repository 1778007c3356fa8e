/** The providers of a configuration: read one by one, so that one that is wrong does not hide the others. */
import { AuthError, DuplicateProvider, InvalidProvider } from "../errors.ts"
import { resolveProvider } from "../providers/resolve-provider.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { parseProvider } from "./parse-provider.ts"

export interface ResolvedProviders {
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly providerProblems: readonly AuthError[]
}

export function resolveProviders({
  providers: entries,
  redirectProxyUrl,
}: Partial<AuthConfig>): ResolvedProviders {
  const providers = new Map<string, ResolvedProvider>()
  const faults: AuthError[] = []
  for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
    const option = `providers[${index}]`
    try {
      const provider = resolveProvider(parseProvider(entry, option), redirectProxyUrl)
      if (providers.has(provider.id)) faults.push(createDuplicateProvider(provider.id, option))
      providers.set(provider.id, provider)
    } catch (error) {
      faults.push(error instanceof AuthError ? error : createUnreadableProvider(error, option))
    }
  }
  return { providers, providerProblems: faults }
}

function createDuplicateProvider(id: string, option: string): DuplicateProvider {
  return new DuplicateProvider({
    option,
    provider: id,
    expected: "every provider to have an `id` of its own",
    received: `\`${id}\` twice`,
    hint: `Give one of them another: \`id: "${id}-2"\`. Its callback URL and environment variables follow it.`,
  })
}

function createUnreadableProvider(cause: unknown, option: string): InvalidProvider {
  return new InvalidProvider({
    option,
    expected: `\`${option}\` to be a provider that can be read`,
    received: cause instanceof Error ? cause.message : String(cause),
    hint: "Compare its fields with the types of @latchkey/core/providers.",
    cause,
  })
}
