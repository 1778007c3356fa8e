/** Where an action leads to. */

import type { AuthContext } from "./auth-context.ts"
import type { ActionEvent } from "./event.ts"

/**
 * Leads the browser on from an action. A new page is loaded in every case: what the router of a page has fetched in
 * advance is of the person who was signed in then, and Qwik 2 does not fetch the session again for the same page.
 *
 * @param to a URL, or a path of the application
 */
export function redirectAfterAction(event: ActionEvent, to: string, { url }: AuthContext): void {
  const target = new URL(to, url)
  if (!isScriptRequest(event)) throw createRedirect(event, target.href)
  // The router follows it, and loads what it was led to.
  if (target.origin === url.origin) throw event.send(createSeeOtherResponse(target))
  // Another site does not let a script read where it leads to: the router is told where to go.
  if (!isPageDataRequest(event)) throw createRedirect(event, target.href)
  event.headers.set("Location", target.href)
}

/** 303 makes a GET request of it, whatever it was (RFC 9110 15.4.4). */
function createRedirect(event: ActionEvent, to: string): unknown {
  // Qwik would take two slashes for one, and write the address into its log.
  const message = event.redirect(303, "")
  event.headers.set("Location", to)
  return message
}

function createSeeOtherResponse({ pathname, search, hash, href }: URL): Response {
  // Two slashes at the beginning would be another host.
  const location = pathname.startsWith("//") ? href : pathname + search + hash
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } })
}

/** Whether a script of the page asked, and not the browser for a form. */
function isScriptRequest(event: ActionEvent): boolean {
  const accept = event.request.headers.get("accept")
  return isPageDataRequest(event) || accept?.includes("application/json") === true
}

/** Whether the router of Qwik 1 asked, which takes an address that it finds in the answer. */
function isPageDataRequest({ request }: ActionEvent): boolean {
  return new URL(request.url).pathname.endsWith("/q-data.json")
}
