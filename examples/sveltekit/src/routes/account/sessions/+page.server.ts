import { getAuth, getSessionInfo } from "@latchkey/sveltekit"
import type { RequestEvent } from "@sveltejs/kit"
import { config } from "../../../auth.config.ts"
import { requireUser } from "../../../require-user.ts"
import type { Actions, PageServerLoad } from "./$types"

const { sessions } = getAuth(config)

export const load: PageServerLoad = async (event) => {
  const { userId, currentId } = await requireIds(event)
  return { sessions: await sessions.list(userId), currentId }
}

export const actions: Actions = {
  one: async (event) => {
    const { userId } = await requireIds(event)
    const form = await event.request.formData()
    const session = await sessions.get(String(form.get("id")))
    // The id comes from the browser: users end only their own sessions.
    if (session?.userId === userId) await sessions.revoke(session.id)
  },
  others: async (event) => {
    const { userId, currentId } = await requireIds(event)
    await sessions.revokeAll(userId, { except: currentId })
  },
}

/** Returns the ids of the user and of this session. */
async function requireIds(event: RequestEvent) {
  const { id: userId = "" } = await requireUser(event)
  const session = await event.locals.auth()
  return { userId, currentId: session ? getSessionInfo(session)?.id : undefined }
}
