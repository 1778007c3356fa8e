import { getAuth } from "@latchkey/sveltekit"
import { config } from "../../../auth.config.ts"
import { requireFreshSession } from "../../../auth.ts"
import { requireUser } from "../../../require-user.ts"
import type { Actions, PageServerLoad } from "./$types"

const { factors, passkeys } = getAuth(config)

export const load: PageServerLoad = async (event) => {
  const { id = "" } = await requireUser(event)
  return { factors: await factors.list(id), passkeys: await passkeys.list(id) }
}

export const actions: Actions = {
  default: async (event) => {
    // A change needs both factors, and recently.
    await requireFreshSession(event)
    const session = await requireFreshSession(event, { level: 2 })
    const form = await event.request.formData()
    const userId = session.user?.id ?? ""
    const [id, passkey] = [form.get("id"), form.get("passkey")]
    if (id) await factors.remove({ userId, session, id: String(id) })
    if (passkey) await passkeys.delete({ userId, session, id: String(passkey) })
  },
}
