import type { FreshSessionOptions } from "@latchkey/core/integration"
import { type RequestEvent, redirect } from "@sveltejs/kit"
import type { GetAuthContext } from "./auth-context.ts"
import { homePath } from "./kit.ts"
import type { LocalSession } from "./locals.ts"

/**
 * Returns the session of a user who authenticated recently. Otherwise it throws SvelteKit's redirect to the sign-in page,
 * which leads back.
 */
export type RequireFreshSession = (
  event: RequestEvent,
  options?: FreshSessionOptions,
) => Promise<LocalSession>

export function createFreshSessionGuard(getAuthContext: GetAuthContext): RequireFreshSession {
  return async (event, options) => {
    const context = await getAuthContext(event)
    const { origin } = context.url
    const { method } = event.request
    // Not that of the request, which may be for the data of a page. A path that begins with `//` must name no host.
    const url = new URL(origin + event.url.pathname + event.url.search)
    const request = { method, url, startPage: homePath }
    const session = await context.requireFreshSession(request, options, (signInUrl) =>
      // SvelteKit 2 redirects to any origin, and has no third parameter.
      redirect(303, signInUrl, { external: [new URL(signInUrl, origin).origin] }),
    )
    return session as LocalSession
  }
}
