/** A guard of an application that used Auth.js. */
import type { RequestHandler } from "@builder.io/qwik-city"
import type { Session } from "@latchkey/qwik"

export const onRequest: RequestHandler = (event) => {
  const session: Session | null = event.sharedMap.get("session")
  if (!session || new Date(session.expires) < new Date()) {
    throw event.redirect(302, `/signin?callbackUrl=${event.url.pathname}`)
  }
}

export const onGet: RequestHandler = ({ cacheControl, json, sharedMap }) => {
  cacheControl({ public: true, maxAge: 600 })
  json(200, sharedMap.get("session"))
}
