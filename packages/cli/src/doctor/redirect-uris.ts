/** Lists the redirect URIs to register at the providers. */
import { type DoctorContext, listProviders, type ProviderInfo } from "./doctor-context.ts"
import { createGoodFinding, type Finding } from "./finding.ts"
import { resolveActionUrl } from "./public-url.ts"

/**
 * Also for providers without a client id: to get one, you register the redirect URI.
 *
 * @param isMountSeen whether the sources or the running application show the path of the actions
 */
export function* listRedirectUris(
  context: DoctorContext,
  isMountSeen: boolean,
): Generator<Finding> {
  if (context.isUrlGuessed) return
  const { basePath, redirectProxyUrl } = context.config
  const configured = context.application.config.basePath ?? redirectProxyUrl
  const condition =
    isMountSeen || configured !== undefined ? "" : `, if the actions are at ${basePath}`
  for (const id of new Set(listOAuthProviders(context).map((provider) => provider.id))) {
    const redirectUri = getRedirectUri(context, id)
    if (redirectUri === undefined) return
    const what = `${id}: register the redirect URI ${redirectUri}${condition}`
    yield createGoodFinding("callback-url", what)
  }
  if (listProviders(context).some(isDevelopmentProvider))
    yield createGoodFinding("callback-url", "development: there is nothing to register")
}

/** Returns the identity providers, except the one for development, which knows the application. */
export function listOAuthProviders(context: DoctorContext): ProviderInfo[] {
  return listProviders(context).filter(
    (provider) => /^(?:oauth|oidc)$/.test(provider.type) && !isDevelopmentProvider(provider),
  )
}

/** Whether a provider is the `developmentProvider` of @latchkey/testing. */
function isDevelopmentProvider({ options }: ProviderInfo): boolean {
  return options["issuer"] === "http://development.localhost"
}

/** Returns the URI that a sign-in sends to a provider; undefined if the configuration has no usable URL. */
function getRedirectUri(context: DoctorContext, id: string): string | undefined {
  const { redirectProxyUrl } = context.config
  if (redirectProxyUrl !== undefined)
    return `${String(redirectProxyUrl).replace(/\/+$/, "")}/callback/${id}`
  const callbackUrl = resolveActionUrl(context, "callback")
  return callbackUrl instanceof Error ? undefined : `${callbackUrl.href}/${id}`
}
