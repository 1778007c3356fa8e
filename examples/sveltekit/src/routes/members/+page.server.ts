import { requireUser } from "../../require-user.ts"
import type { PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ user: await requireUser(event) })
