import { component$, Slot } from "@builder.io/qwik"
import { type RequestHandler, routeLoader$ } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik"

/** Only users who are signed in can access this folder: pages, their data, actions and endpoints. */
export const onRequest: RequestHandler = async (event) => {
  const { data: session } = await getSession(event)
  if (session?.user) return
  const callbackUrl = encodeURIComponent(event.url.pathname + event.url.search)
  throw event.redirect(303, `/signin?callbackUrl=${callbackUrl}`)
}

/** The session. The router of Qwik 2 requests only data from the server: without a loader, it would show the page. */
export const useMember = routeLoader$(async (event) => (await getSession(event)).data?.user)

export default component$(() => <Slot />)
