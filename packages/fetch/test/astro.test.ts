/** Astro calls its middleware with a context whose `clientAddress` may throw. */
import type { FetchAuth } from "@latchkey/fetch"
import { type AstroContext, createOnRequest, getAuth } from "@latchkey/fetch/astro"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"

/** Runs pages and endpoints behind the middleware, as Astro does. */
const createApplication = (auth: FetchAuth) => {
  const onRequest = createOnRequest(auth)
  return async (request: Request): Promise<Response> => {
    const context: AstroContext = {
      request,
      locals: {},
      get clientAddress(): string {
        throw new Error("`clientAddress` is not available with this adapter")
      },
    }
    return onRequest(context, async () => {
      const { pathname } = new URL(request.url)
      const requestAuth = getAuth<typeof auth>(context)
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
      if (!route) return new Response(null, { status: 404 })
      return route(requestAuth, isPost ? await request.formData() : new FormData())
    }).catch(() => new Response("Astro's error page", { status: 500 }))
  }
}

testBehaviours("Astro's middleware", createApplication, { losesErrors: true })
