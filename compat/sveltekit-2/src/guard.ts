import type { Handle } from "@sveltejs/kit"
import { requireUser } from "./require-user.ts"

/** Protects everything under a route: form actions and endpoints, too. */
export const guard: Handle = async ({ event, resolve }) => {
  // The route and not the path, because different paths lead to the same page: /%61ccount is one of them.
  if (/^\/account(\/|$)/.test(event.route.id ?? "")) await requireUser(event)
  return resolve(event)
}
