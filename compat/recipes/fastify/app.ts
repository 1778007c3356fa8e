import { type Session, serializeCookie } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import Fastify, { type preHandlerAsyncHookHandler } from "fastify"
import { auth, getBrowserUrl, getHeaders } from "./auth.ts"
import { authRoutes } from "./auth-routes.ts"

declare module "fastify" {
  interface FastifyRequest {
    session: Session | null
  }
}

export const app = Fastify()
app.decorateRequest("session", null)
app.register(authRoutes)

const membersOnly: preHandlerAsyncHookHandler = async (request, reply) => {
  const { session, cookies } = await auth.getSession({
    headers: getHeaders(request),
    url: getBrowserUrl(request),
  })
  // A renewed session has new cookies, which no cache may store.
  for (const cookie of cookies) reply.header("set-cookie", serializeCookie(cookie))
  if (cookies.length > 0) reply.header("cache-control", "private, no-store")
  if (!session) return reply.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(request.url)}`)
  request.session = session
}

app.get("/", async (_request, reply) => {
  reply.type("text/html")
  return '<a href="/members">Members</a> <a href="/auth/signout">Sign out</a>'
})

app.get("/members", { preHandler: membersOnly }, async (request) => {
  return `Hello ${request.session?.user?.name}`
})

app.setErrorHandler((error, request, reply) => {
  request.log.error(error)
  // The session could not be checked, so nobody knows whether the user is signed in.
  if (error instanceof AuthError) return reply.code(503).send("Please try again in a moment.")
  return reply.send(error)
})
