import { component$, Slot } from "@builder.io/qwik"
import { type RequestHandler, routeLoader$ } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik"

/** Everything in this folder is for people who are signed in: pages, their data, actions and endpoints. */
export const onRequest: RequestHandler = async (event) => {
  const { data: session } = await getSession(event)
  if (session?.user) return
  throw event.redirect(303, `/signin?${new URLSearchParams({ callbackUrl: event.url.pathname })}`)
}

/** Who is there. The router of Qwik 2 asks the server for data alone: without any, it would show the page. */
export const useMember = routeLoader$(async (event) => (await getSession(event)).data?.user)

export default component$(() => <Slot />)
