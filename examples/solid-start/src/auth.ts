/** Latchkey in this application: who is there, and what the forms do. */

import { AuthError, getSession, signIn, signOut, updateSession } from "@latchkey/solid-start"
import { action, query, redirect } from "@solidjs/router"
import { getRequestEvent } from "solid-js/web"
import { config } from "./auth.config.ts"

/** Who is there; null for nobody. */
export const currentSession = query(async () => {
  "use server"
  return readSession()
}, "session")

/** Who is there. Strangers go to the sign-in page, which leads back to `page`. */
export const memberSession = query(async (page: string) => {
  "use server"
  const session = await readSession()
  if (!session?.user) throw redirect(`/signin?${new URLSearchParams({ callbackUrl: page })}`)
  return session
}, "member")

/** Signs in with whatever the form names in `providerId`, and goes to `redirectTo`. */
export const signInAction = action(async (form: FormData) => {
  "use server"
  try {
    await signIn(config, form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // The page tells from its address what was wrong, with JavaScript and without.
    const callbackUrl = String(form.get("redirectTo") ?? "/")
    throw redirect(`/signin?${new URLSearchParams({ callbackUrl, error: error.type })}`)
  }
}, "enter")

/** Signs out. */
export const signOutAction = action(async () => {
  "use server"
  await signOut(config, { redirectTo: "/" })
}, "leave")

/** Changes the name in the session. */
export const renameAction = action(async (form: FormData) => {
  "use server"
  await updateSession(config, { name: form.get("name") })
  throw redirect("/account")
}, "rename")

async function readSession() {
  const event = getRequestEvent()
  return event ? getSession(event, config) : null
}
