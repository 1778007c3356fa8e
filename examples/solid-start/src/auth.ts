/** Latchkey in this application: the session, and the actions of the forms. */

import { AuthError, getSession, signIn, signOut, updateSession } from "@latchkey/solid-start"
import { action, type Location, query, redirect } from "@solidjs/router"
import { getRequestEvent } from "solid-js/web"
import { config } from "./auth.config.ts"

/** Returns the session, or null for visitors who are signed out. */
export const currentSession = query(async () => {
  "use server"
  return readSession()
}, "session")

/** Returns the path and query of a page, to which a sign-in leads back. */
export function getPath({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  return pathname + search
}

/** Returns the session. Redirects visitors who are signed out to the sign-in page, which leads back to `page`. */
export const memberSession = query(async (page: string) => {
  "use server"
  const session = await readSession()
  if (!session?.user) throw redirect(`/signin?${new URLSearchParams({ callbackUrl: page })}`)
  return session
}, "member")

/** Signs in with the provider that the form names in `providerId`, and redirects to `redirectTo`. */
export const signInAction = action(async (form: FormData) => {
  "use server"
  try {
    await signIn(config, form)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // The page reads the error from its URL, with and without JavaScript.
    const callbackUrl = String(form.get("redirectTo") ?? "/")
    throw redirect(`/signin?${new URLSearchParams({ callbackUrl, error: error.type })}`)
  }
}, "signIn")

export const signOutAction = action(async () => {
  "use server"
  await signOut(config, { redirectTo: "/" })
}, "signOut")

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
