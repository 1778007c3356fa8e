/** Latchkey in this application: the session, and the actions of the forms. They run on the server. */
import { AuthError, getSession, signIn, signOut } from "@latchkey/solid-start"
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
  if (!session?.user) throw redirect(`/signin?callbackUrl=${encodeURIComponent(page)}`)
  return session
}, "member")

export const signInAction = action(async (form: FormData) => {
  "use server"
  try {
    await signIn(config, form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error // On success, a redirect
    const callbackUrl = String(form.get("redirectTo") ?? "/")
    throw redirect(`/signin?${new URLSearchParams({ callbackUrl, error: error.type })}`)
  }
}, "signIn")

export const signOutAction = action(async () => {
  "use server"
  await signOut(config, { redirectTo: "/" })
}, "signOut")

async function readSession() {
  const event = getRequestEvent()
  if (!event) return null
  // Pages show who is signed in, so no cache may keep them for others.
  event.response.headers.set("Cache-Control", "private, no-store")
  return getSession(event, config)
}
