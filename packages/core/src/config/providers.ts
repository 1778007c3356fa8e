/** The providers of a configuration: read one by one, so that one that is wrong does not hide the others. */
import { AuthError, DuplicateProvider, InvalidProvider } from "../errors.ts"
import { normaliseProvider } from "../providers/normalise.ts"
import type { ResolvedProvider } from "../providers/resolved.ts"
import type { AuthConfig } from "./auth-config.ts"
import { providerIn } from "./provider-shape.ts"

export interface ResolvedProviders {
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly faults: readonly AuthError[]
}

export function resolveProviders({
  providers: written,
  redirectProxyUrl,
}: Partial<AuthConfig>): ResolvedProviders {
  const providers = new Map<string, ResolvedProvider>()
  const faults: AuthError[] = []
  for (const [index, each] of Array.isArray(written) ? written.entries() : []) {
    const option = `providers[${index}]`
    try {
      const provider = normaliseProvider(providerIn(each, option), redirectProxyUrl)
      if (providers.has(provider.id)) faults.push(duplicate(provider.id, option))
      providers.set(provider.id, provider)
    } catch (error) {
      faults.push(error instanceof AuthError ? error : unreadable(error, option))
    }
  }
  return { providers, faults }
}

function duplicate(id: string, option: string): DuplicateProvider {
  return new DuplicateProvider({
    option,
    provider: id,
    expected: "every provider to have an `id` of its own",
    came: `\`${id}\` twice`,
    hint: `Give one of them another: \`id: "${id}-2"\`. Its callback URL and environment variables follow it.`,
  })
}

function unreadable(cause: unknown, option: string): InvalidProvider {
  return new InvalidProvider({
    option,
    expected: `\`${option}\` to be a provider that can be read`,
    came: cause instanceof Error ? cause.message : String(cause),
    hint: "Compare its fields with the types of @latchkey/core/providers.",
    cause,
  })
}
