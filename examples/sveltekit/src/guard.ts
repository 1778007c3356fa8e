import { redirect } from "@sveltejs/kit"
import type { Handle } from "@sveltejs/kit/hooks"

/** Redirects visitors who are signed out to the sign-in page, which leads back. */
export const guard: Handle = async ({ event, resolve }) => {
  // The route and not the path, because different paths lead to the same page: /%61ccount is one of them.
  const isMembersOnly = /^\/account(\/|$)/.test(event.route.id ?? "")
  if (isMembersOnly && !(await event.locals.auth())?.user) {
    redirect(303, `/signin?callbackUrl=${encodeURIComponent(event.url.pathname)}`)
  }
  return resolve(event)
}
