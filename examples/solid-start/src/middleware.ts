/** Runs before every page: redirects visitors who are signed out from pages for members. */
import { getSession } from "@latchkey/solid-start"
import { redirect } from "@solidjs/router"
import { createMiddleware } from "@solidjs/start/middleware"
import { config } from "./auth.config.ts"

// To the router, `/Account/` is the same page.
const membersOnlyPath = /^\/account(\/|$)/i

export default createMiddleware({
  onRequest: [
    async (event) => {
      // Every page shows who is signed in, so no cache may keep it for others.
      event.response.headers.set("Cache-Control", "private, no-store")
      const { pathname, search } = new URL(event.request.url)
      if (!membersOnlyPath.test(pathname)) return
      const session = await getSession(event, config)
      const callbackUrl = encodeURIComponent(pathname + search)
      if (!session?.user) return redirect(`/signin?callbackUrl=${callbackUrl}`)
    },
  ],
})
