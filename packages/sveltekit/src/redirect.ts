/** Where an action leads. */
import type { RedirectResult, RequestContext, SignInInput } from "@latchkey/core"
import { redirect } from "@sveltejs/kit"
import type { AuthContext } from "./auth-context.ts"
import { homePath } from "./kit.ts"

/**
 * Where to go afterwards: where the form says, else where its page was told to lead to, else that page. Whether one may
 * go there is for the engine to say.
 */
export function resolveCallbackUrl(
  fields: SignInInput["options"],
  { headers, url }: RequestContext,
): string {
  const { redirectTo, callbackUrl } = fields ?? {}
  const page = getReferringPage(headers, new URL(url))
  const target = redirectTo || callbackUrl || page?.searchParams.get("callbackUrl") || page?.href
  return typeof target === "string" ? target : homePath
}

/** The page of this site that the form is on, as the browser tells. */
function getReferringPage(headers: Headers, { origin }: URL): URL | undefined {
  const referer = headers.get("referer")
  const page = referer !== null && URL.canParse(referer) ? new URL(referer) : undefined
  return page?.origin === origin ? page : undefined
}

/**
 * Sets the cookies, and throws the redirect. Within the application it is to a path, which the client router follows
 * without loading the page anew.
 */
export function redirectAfterAction(
  result: RedirectResult,
  url: URL,
  authContext: AuthContext,
): never {
  authContext.cookies.set(result.cookies)
  authContext.session = undefined
  const target = new URL(result.redirect, url)
  const path = target.pathname + target.search + target.hash
  // Two slashes at the beginning would be another host.
  const isPath = target.origin === url.origin && !path.startsWith("//")
  // SvelteKit 2 lets every origin pass, and knows no third argument.
  return redirect(303, isPath ? path : target.href, { external: [target.origin] })
}
