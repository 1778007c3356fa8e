/**
 * Resolves the providers one by one. A problem of one entry of `providers` refuses this provider only; a problem of
 * several options together is one of the whole configuration (`config-checks.ts`).
 */
import { getErrorMessage } from "../errors/describe-value.ts"
import { AuthError, DuplicateProvider, InvalidProvider } from "../errors.ts"
import { resolveProvider } from "../providers/resolve-provider.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { findProviderErrors, type HostOptions } from "./checks/provider-rules.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

type Providers = Pick<ResolvedConfig, "providers" | "providerProblems" | "emailIdentifiesUser">

/** Returns the valid providers, and the problems of the others. */
export function resolveProviders(
  { providers: entries, redirectProxyUrl }: Partial<AuthConfig>,
  hosts: HostOptions,
): Providers {
  const providers = new Map<string, ResolvedProvider>()
  const providerProblems: AuthError[] = []
  let emailIdentifiesUser = false
  for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
    const option = `providers[${index}]`
    try {
      const provider = resolveProvider(entry, option, redirectProxyUrl)
      // Also if it is refused: users must not get unverified addresses that it will accept once it is corrected.
      emailIdentifiesUser ||= identifiesUserByEmail(provider)
      const errors = providers.has(provider.id)
        ? [createDuplicateProvider(provider.id, option)]
        : findProviderErrors(provider, hosts)
      if (errors.length === 0) providers.set(provider.id, provider)
      providerProblems.push(...errors)
    } catch (cause) {
      emailIdentifiesUser = true // It may be such a provider.
      const expected = `\`${option}\` to be a valid provider`
      const received = JSON.stringify(getErrorMessage(cause))
      const hint =
        typeof entry === "function"
          ? "A provider is an object, or a function that can be called with `{}`: use those of @latchkey/core/providers."
          : "Compare its fields with the types of @latchkey/core/providers."
      const isOwnError = cause instanceof AuthError
      providerProblems.push(
        isOwnError ? cause : new InvalidProvider({ option, expected, received, hint, cause }),
      )
    }
  }
  return { providers, providerProblems, emailIdentifiesUser }
}

/** Finds a provider by its id. @throws AuthError if it was left out because of a problem */
export function findProvider(
  { providers, providerProblems }: Pick<ResolvedConfig, "providers" | "providerProblems">,
  id = "",
): ResolvedProvider | undefined {
  const provider = providers.get(id)
  const problem = providerProblems.find(({ cause }) => cause?.["provider"] === id)
  if (!provider && problem) throw problem
  return provider
}

/** Finds a provider whose sign-in takes the browser to its site. */
export function findOAuthProvider(
  { providers }: Pick<ResolvedConfig, "providers">,
  id = "",
): ResolvedOAuthProvider | undefined {
  const provider = providers.get(id)
  return provider?.type === "oauth" || provider?.type === "oidc" ? provider : undefined
}

function identifiesUserByEmail(provider: ResolvedProvider): boolean {
  // An application that checks passwords looks users up by their address.
  if (provider.type === "email" || provider.type === "credentials") return true
  return (provider.type === "oauth" || provider.type === "oidc") && provider.allowEmailLinking
}

function createDuplicateProvider(provider: string, option: string): DuplicateProvider {
  const expected = "every provider to have its own `id`"
  const received = `\`${provider}\` twice, of which the first one is used`
  const hint = `Set another one, such as \`id: "${provider}-2"\`. This changes its callback URL and environment variables.`
  return new DuplicateProvider({ option, provider, expected, received, hint })
}
