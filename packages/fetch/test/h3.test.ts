import type { FetchAuth } from "@latchkey/fetch"
import { authMiddleware, getAuth } from "@latchkey/fetch/h3"
import { H3 } from "h3"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"

function createApplication(auth: FetchAuth) {
  const app = new H3({ silent: true })
  app.use(authMiddleware(auth))
  app.get("/members", async (event) => {
    await getAuth<typeof auth>(event).requireSession()
    return members
  })
  app.get("/account", async (event) => {
    await getAuth<typeof auth>(event).requireFreshSession({ maxAge })
    return account
  })
  for (const [path, route] of Object.entries(getRoutes))
    app.get(path, (event) => route(getAuth<typeof auth>(event), new FormData()))
  for (const [path, route] of Object.entries(postRoutes))
    app.post(path, async (event) => route(getAuth<typeof auth>(event), await event.req.formData()))
  return app
}

testBehaviours("h3 2", (auth) => async (request) => createApplication(auth).fetch(request))
