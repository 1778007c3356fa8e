/** The hooks of the example, and a cookie of the application. */
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
