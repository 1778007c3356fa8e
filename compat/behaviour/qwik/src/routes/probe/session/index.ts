/** The session, as the library's own reader gives it. */
import type { RequestHandler } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik"

export const onGet: RequestHandler = async (event) => {
  const { data: session } = await getSession(event)
  event.json(200, { session })
}
