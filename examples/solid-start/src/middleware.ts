/** What is done before anything is rendered: pages for members, by their paths, are closed to strangers. */
import { getSession } from "@latchkey/solid-start"
import { redirect } from "@solidjs/router"
import { createMiddleware } from "@solidjs/start/middleware"
import { config } from "./auth.config.ts"

// The router takes `/Account/` for the same page.
const membersOnlyPath = /^\/account\/*$/i

export default createMiddleware({
  onRequest: [
    async (event) => {
      // Every page says who is there: no cache may keep it for somebody else.
      event.response.headers.set("Cache-Control", "private, no-store")
      const page = new URL(event.request.url).pathname
      if (!membersOnlyPath.test(page)) return
      const session = await getSession(event, config)
      if (!session?.user) return redirect(`/signin?${new URLSearchParams({ callbackUrl: page })}`)
    },
  ],
})
