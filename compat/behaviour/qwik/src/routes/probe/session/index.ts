/** Returns the session as the library reads it. */
import type { RequestHandler } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik"

export const onGet: RequestHandler = async (event) => {
  const { data: session } = await getSession(event)
  event.json(200, { session })
}
