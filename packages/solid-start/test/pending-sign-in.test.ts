/** A sign-in that waits for its second factor is no session, for the routes and the functions of the package. */
import { getSession, requireFreshSession, signOut } from "@latchkey/solid-start"
import { test } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

test("nothing takes it for a session", async () => {
  await testPendingSignIn((changes) => {
    const config = createConfig(changes)
    const app = createApplication(config, {
      "/session": ({ request }) => getSession(request, config),
      "/fresh": ({ request }) => requireFreshSession(request, config),
      "/leave": ({ request }) => (request.method === "POST" ? signOut(config) : null),
    })
    return { app, basePath: "/api/auth", pages: ["/session", "/fresh", "/leave"] }
  })
}, 60_000)
