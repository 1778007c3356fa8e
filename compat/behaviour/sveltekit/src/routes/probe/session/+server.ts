import type { RequestHandler } from "./$types"

/** Returns the session as pages read it. */
export const GET: RequestHandler = async ({ locals }) =>
  Response.json({ session: await locals.auth() })
