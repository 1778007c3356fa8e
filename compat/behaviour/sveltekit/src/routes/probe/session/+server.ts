import type { RequestHandler } from "./$types"

/** Who is there, as pages find out. */
export const GET: RequestHandler = async ({ locals }) =>
  Response.json({ session: await locals.auth() })
