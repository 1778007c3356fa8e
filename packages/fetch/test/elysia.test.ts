import type { FetchAuth } from "@latchkey/fetch"
import { deriveAuth, requireFreshSession, requireSession } from "@latchkey/fetch/elysia"
import { Elysia } from "elysia"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"

function createApplication(auth: FetchAuth) {
  const app = new Elysia()
    .derive(deriveAuth(auth))
    .get("/members", () => members, { beforeHandle: requireSession() })
    .get("/account", () => account, { beforeHandle: requireFreshSession({ maxAge }) })
  for (const [path, route] of Object.entries(getRoutes))
    app.get(path, ({ auth }) => route(auth, new FormData()))
  for (const [path, route] of Object.entries(postRoutes))
    app.post(path, async ({ auth, request }) => route(auth, await request.formData()), {
      parse: "none",
    })
  return app
}

testBehaviours("Elysia", (auth) => auth.wrap(createApplication(auth).fetch))
