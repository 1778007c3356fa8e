/** Lists the redirect URIs to register at the providers. */
import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createGoodFinding, type Finding } from "./finding.ts"
import { resolveActionUrl } from "./public-url.ts"

/** Also for providers without a client id: to get one, you register the redirect URI. */
export function* listRedirectUris(context: DoctorContext): Generator<Finding> {
  if (context.isUrlGuessed) return
  const ids = new Set(
    listProviders(context)
      .filter(isOAuthProvider)
      .map(({ id }) => id),
  )
  for (const id of ids) {
    const redirectUri = getRedirectUri(context, id)
    if (redirectUri === undefined) return
    yield createGoodFinding("callback-url", `${id}: register the redirect URI ${redirectUri}`)
  }
}

export function isOAuthProvider({ type }: { readonly type: string }): boolean {
  return type === "oauth" || type === "oidc"
}

/** Returns the URI that a sign-in sends to a provider; undefined if the configuration has no usable URL. */
function getRedirectUri(context: DoctorContext, id: string): string | undefined {
  const { redirectProxyUrl } = context.config
  if (redirectProxyUrl !== undefined)
    return `${String(redirectProxyUrl).replace(/\/+$/, "")}/callback/${id}`
  const callbackUrl = resolveActionUrl(context, "callback")
  return callbackUrl instanceof Error ? undefined : `${callbackUrl.href}/${id}`
}
