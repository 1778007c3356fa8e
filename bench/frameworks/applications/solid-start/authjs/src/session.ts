import github from "@auth/core/providers/github"
import { getSession } from "@auth/solid-start"
import { getRequestEvent } from "solid-js/web"

const config = {
  basePath: "/api/auth",
  providers: [github({ clientId: "a", clientSecret: "b" })],
}

export async function readSession() {
  const event = getRequestEvent()
  return event ? getSession(event.request, config) : null
}
