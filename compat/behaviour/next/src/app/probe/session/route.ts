import { auth } from "../../../auth.ts"

/** Returns the session. */
export async function GET() {
  return Response.json({ session: await auth() })
}
