import { getConnInfo } from "@hono/node-server/conninfo"
import { type Session, serializeCookie } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { Hono } from "hono"
import { createMiddleware } from "hono/factory"
import { auth, getBrowserUrl } from "./auth.ts"

export const app = new Hono()

app.all("/auth/*", (c) => {
  const url = getBrowserUrl(c.req.url)
  return auth.handle(c.req.raw, { url, clientAddress: getConnInfo(c).remote.address })
})

const membersOnly = createMiddleware<{ Variables: { session: Session } }>(async (c, next) => {
  const { headers } = c.req.raw
  const { session, cookies } = await auth.getSession({ headers, url: getBrowserUrl(c.req.url) })
  if (session) {
    c.set("session", session)
    await next()
  } else {
    const { pathname, search } = new URL(c.req.url)
    c.res = c.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(pathname + search)}`)
  }
  // A renewed session has new cookies, which no cache may store.
  for (const cookie of cookies) c.header("Set-Cookie", serializeCookie(cookie), { append: true })
  if (cookies.length > 0) c.header("Cache-Control", "private, no-store")
})

app.get("/", (c) => c.html('<a href="/members">Members</a> <a href="/auth/signout">Sign out</a>'))

app.get("/members", membersOnly, (c) => c.text(`Hello ${c.var.session.user?.name}`))

app.onError((error, c) => {
  console.error(error)
  // The session could not be checked, so nobody knows whether the user is signed in.
  if (error instanceof AuthError) return c.text("Please try again in a moment.", 503)
  return c.text("Something went wrong.", 500)
})
