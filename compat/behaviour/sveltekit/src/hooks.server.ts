/** What every request goes through: as in the example, and a cookie that is not the library's. */
import { sequence } from "@sveltejs/kit/hooks"
import { handle as auth } from "./auth.ts"
import { guard } from "./guard.ts"

export const handle = sequence(
  async ({ event, resolve }) => {
    const response = await resolve(event)
    response.headers.append("set-cookie", "foreign=kept; Path=/")
    return response
  },
  auth,
  guard,
)
