import { type Handle, redirect } from "@sveltejs/kit"

/** Sends strangers to the sign-in page, which leads back. */
export const guard: Handle = async ({ event, resolve }) => {
  // The route, and not the path, which can be written in many ways: /%61ccount is the same page.
  const isMembersOnly = /^\/account(\/|$)/.test(event.route.id ?? "")
  if (isMembersOnly && !(await event.locals.auth())?.user) {
    redirect(303, `/signin?callbackUrl=${encodeURIComponent(event.url.pathname)}`)
  }
  return resolve(event)
}
