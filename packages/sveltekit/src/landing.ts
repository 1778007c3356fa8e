/** Where an action leads. */
import type { RedirectResult, RequestContext, SignInInput } from "@latchkey/core"
import { redirect } from "@sveltejs/kit"
import { home } from "./kit.ts"
import type { Visit } from "./visit.ts"

/**
 * Where to go afterwards: where the form says, else where its page was told to lead to, else that page. Whether one may
 * go there is for the engine to say.
 */
export function landing(fields: SignInInput["options"], { headers, url }: RequestContext): string {
  const { redirectTo, callbackUrl } = fields ?? {}
  const page = pageOf(headers, new URL(url))
  const target = redirectTo || callbackUrl || page?.searchParams.get("callbackUrl") || page?.href
  return typeof target === "string" ? target : home
}

/** The page of this site that the form is on, as the browser tells. */
function pageOf(headers: Headers, { origin }: URL): URL | undefined {
  const referer = headers.get("referer")
  const page = referer !== null && URL.canParse(referer) ? new URL(referer) : undefined
  return page?.origin === origin ? page : undefined
}

/**
 * Sets the cookies, and throws the redirect. Within the application it is to a path, which the client router follows
 * without loading the page anew.
 */
export function leadTo(result: RedirectResult, url: URL, visit: Visit): never {
  visit.cookies.set(result.cookies)
  visit.session = undefined
  const target = new URL(result.redirect, url)
  const path = target.pathname + target.search + target.hash
  // Two slashes at the beginning would be another host.
  const isPath = target.origin === url.origin && !path.startsWith("//")
  // SvelteKit 2 lets every origin pass, and knows no third argument.
  return redirect(303, isPath ? path : target.href, { external: [target.origin] })
}
