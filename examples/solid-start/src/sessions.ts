/** The sessions of the user who is signed in, and the actions that end them. */
import { getAuth, getSession, getSessionInfo } from "@latchkey/solid-start"
import { action, query, redirect } from "@solidjs/router"
import { getRequestEvent } from "solid-js/web"
import { config } from "./auth.config.ts"
import { assertOwnForm } from "./own-form.ts"

/** Returns the sessions of the user, and the id of this one. Redirects visitors who are signed out to the sign-in page. */
export const userSessions = query(async () => {
  "use server"
  const { userId, currentId } = await requireIds()
  return { sessions: await getAuth(config).sessions.list(userId), currentId }
}, "sessions")

export const signOutOneAction = action(async (form: FormData) => {
  "use server"
  assertOwnForm()
  const { sessions } = getAuth(config)
  const { userId } = await requireIds()
  const session = await sessions.get(String(form.get("id")))
  // The id comes from the browser: users end only their own sessions.
  if (session?.userId === userId) await sessions.revoke(session.id)
  throw redirect("/account/sessions")
}, "signOutOne")

export const signOutOthersAction = action(async () => {
  "use server"
  assertOwnForm()
  const { userId, currentId } = await requireIds()
  await getAuth(config).sessions.revokeAll(userId, { except: currentId })
  throw redirect("/account/sessions")
}, "signOutOthers")

/** Returns the ids of the user and of this session. */
async function requireIds() {
  const event = getRequestEvent()
  const session = event && (await getSession(event, config))
  if (!session?.user?.id) throw redirect("/signin?callbackUrl=/account/sessions")
  return { userId: session.user.id, currentId: getSessionInfo(session)?.id }
}
