/** Returns the session. */

import { getSession } from "@latchkey/solid-start"
import type { APIEvent } from "@solidjs/start/server"
import { config } from "../../auth.config.ts"

export async function GET({ request }: APIEvent) {
  return Response.json({ session: await getSession(request, config) })
}
