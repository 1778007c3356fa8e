/** The second factors of the user who is signed in, and the action that removes one. */
import { getAuth, getSession, requireFreshSession } from "@latchkey/solid-start"
import { action, query, redirect } from "@solidjs/router"
import { getRequestEvent } from "solid-js/web"
import { config } from "./auth.config.ts"
import { assertOwnForm } from "./own-form.ts"

const page = "/account/security"

/** Returns the factors of the user. Redirects visitors who are signed out to the sign-in page. */
export const userFactors = query(async () => {
  "use server"
  const event = getRequestEvent()
  const session = event && (await getSession(event, config))
  if (!session?.user?.id) throw redirect(`/signin?callbackUrl=${page}`)
  return getAuth(config).factors.list(session.user.id)
}, "factors")

export const removeFactorAction = action(async (form: FormData) => {
  "use server"
  assertOwnForm()
  const event = getRequestEvent()
  if (!event) throw redirect(page)
  // A change needs both factors, and recently.
  await requireFreshSession(event, config)
  const session = await requireFreshSession(event, config, { level: 2 })
  const id = String(form.get("id"))
  await getAuth(config).factors.remove({ userId: session.user?.id ?? "", session, id })
  throw redirect(page)
}, "removeFactor")
