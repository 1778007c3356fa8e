import { component$, Slot } from "@builder.io/qwik"
import { type RequestHandler, routeLoader$ } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik"

/** The guard of this folder: visitors who are signed out sign in first, and return. */
export const onRequest: RequestHandler = async (event) => {
  // The pages show who is signed in, so no cache may keep them for others.
  event.cacheControl({ private: true, noStore: true })
  const { data: session } = await getSession(event)
  if (session?.user) return
  const callbackUrl = encodeURIComponent(event.url.pathname + event.url.search)
  throw event.redirect(303, `/auth/signin?callbackUrl=${callbackUrl}`)
}

export const useMember = routeLoader$(async (event) => (await getSession(event)).data?.user)

export default component$(() => <Slot />)
