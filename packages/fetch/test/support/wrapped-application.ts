/** The application of the behaviours as a `fetch` function, for runtimes whose servers call one. */
import type { FetchAuth } from "@latchkey/fetch"
import type { FetchHandler } from "@latchkey/testing"
import { account, getRoutes, maxAge, members, postRoutes } from "./routes.ts"

export const createWrappedApplication = (auth: FetchAuth): FetchHandler =>
  auth.wrap(async (request) => {
    const { pathname } = new URL(request.url)
    const requestAuth = auth.for(request)
    if (pathname === "/members") {
      await requestAuth.requireSession()
      return new Response(members)
    }
    if (pathname === "/account") {
      await requestAuth.requireFreshSession({ maxAge })
      return new Response(account)
    }
    const isPost = request.method === "POST"
    const route = (isPost ? postRoutes : getRoutes)[pathname]
    if (!route) return new Response("no such page", { status: 404 })
    return route(requestAuth, isPost ? await request.formData() : new FormData())
  })
