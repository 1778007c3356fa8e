/** A sign-in that waits for its second factor is no session, for the wrapper and the functions of the package. */
import { FetchAuth } from "@latchkey/fetch"
import { test } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createConfig } from "./support/config.ts"

test("nothing takes it for a session", async () => {
  await testPendingSignIn((changes) => {
    const auth = FetchAuth(createConfig({ trustHost: true, ...changes }))
    const app = auth.wrap(async (request) => {
      const functions = auth.for(request)
      const { pathname } = new URL(request.url)
      if (pathname === "/members") return Response.json(await functions.requireSession())
      if (pathname === "/fresh") return Response.json(await functions.requireFreshSession())
      if (pathname === "/rename") return Response.json(await functions.updateSession({}))
      return Response.json(await functions.getSession())
    })
    return { app, pages: ["/session", "/members", "/fresh", "/rename"] }
  })
}, 60_000)
