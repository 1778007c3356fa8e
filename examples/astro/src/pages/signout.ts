import { getAuth } from "@latchkey/fetch/astro"
import type { APIRoute } from "astro"

export const prerender = false

export const POST: APIRoute = (context) => getAuth(context).signOut({ redirectTo: "/" })
