import { component$ } from "@builder.io/qwik"
import type { RequestHandler } from "@builder.io/qwik-city"

export const onRequest: RequestHandler = (event) => {
  const session = event.sharedMap.get("session")
  if (!session || new Date(session.expires) < new Date()) throw event.redirect(302, "/")
}

export default component$(() => <p>Protected</p>)
