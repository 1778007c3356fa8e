/** The routes of Latchkey under /auth. */
import type { APIRoute } from "astro"
import { auth } from "../../auth"

export const prerender = false

// A server in production that could sign nobody in ends here, with the first request to these routes.
auth.checkConfigAtStartup()

export const ALL: APIRoute = ({ request }) => auth.handler(request)
