/** Latchkey in this application: the session, and the action of the form. They run on the server. */
import { getSession, signOut } from "@latchkey/solid-start"
import { action, query, redirect } from "@solidjs/router"
import { getRequestEvent } from "solid-js/web"
import { config } from "./auth.config"

/** Returns the session, or null for visitors who are signed out. */
export const currentSession = query(async () => {
  "use server"
  return readSession()
}, "session")

/** The guard: visitors who are signed out sign in first, and return to `page`. */
export const memberSession = query(async (page: string) => {
  "use server"
  const session = await readSession()
  if (!session?.user) throw redirect(getSignInUrl(page))
  return session
}, "member")

export const signOutAction = action(async () => {
  "use server"
  await signOut(config, { redirectTo: "/" })
}, "signOut")

/** The router knows only the pages of `src/routes`. Browsers load others if the URL is complete. */
function getSignInUrl(page: string) {
  const origin = process.env.AUTH_URL ?? getRequestEvent()?.request.url
  return new URL(`/auth/signin?callbackUrl=${encodeURIComponent(page)}`, origin).href
}

async function readSession() {
  const event = getRequestEvent()
  if (!event) return null
  // Pages show who is signed in, so no cache may keep them for others.
  event.response.headers.set("Cache-Control", "private, no-store")
  return getSession(event, config)
}
