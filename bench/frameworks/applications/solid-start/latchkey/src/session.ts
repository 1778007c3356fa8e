import github from "@latchkey/core/providers/github"
import { getSession } from "@latchkey/solid-start"
import { getRequestEvent } from "solid-js/web"

const config = { providers: [github({ clientId: "a", clientSecret: "b" })] }

export async function readSession() {
  const event = getRequestEvent()
  return event ? getSession(event, config) : null
}
