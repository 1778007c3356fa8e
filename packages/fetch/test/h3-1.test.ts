import type { FetchAuth } from "@latchkey/fetch"
import { authHandler, getAuth } from "@latchkey/fetch/h3"
import { createApp, createRouter, defineEventHandler, readFormData, toNodeListener } from "h3-1"
import { beforeEach, vi } from "vitest"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"
import { listen } from "./support/serve.ts"

function createApplication(auth: FetchAuth) {
  const app = createApp()
  app.use(defineEventHandler(authHandler(auth)))
  const router = createRouter()
  router.get(
    "/members",
    defineEventHandler(async (event) => {
      await getAuth<typeof auth>(event).requireSession()
      return members
    }),
  )
  router.get(
    "/account",
    defineEventHandler(async (event) => {
      await getAuth<typeof auth>(event).requireFreshSession({ maxAge })
      return account
    }),
  )
  for (const [path, route] of Object.entries(getRoutes))
    router.get(
      path,
      defineEventHandler((event) => route(getAuth<typeof auth>(event), new FormData())),
    )
  for (const [path, route] of Object.entries(postRoutes))
    router.post(
      path,
      defineEventHandler(async (event) =>
        route(getAuth<typeof auth>(event), await readFormData(event)),
      ),
    )
  return app.use(router)
}

// h3 1 logs errors by itself.
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue())

testBehaviours("h3 1", (auth) => listen(toNodeListener(createApplication(auth))))
