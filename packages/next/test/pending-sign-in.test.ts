/** A sign-in that waits for its second factor is no session, for the route handlers and the proxy of the package. */
import { test } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createApplication, toNextRequest } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

test("nothing takes it for a session", async () => {
  await testPendingSignIn((changes) => {
    const { app, auth } = createApplication(createConfig({ trustHost: true, ...changes }))
    const proxy = auth.auth as unknown as (request: Request) => Promise<Response>
    const route = (request: Request) =>
      new URL(request.url).pathname.startsWith("/api/auth")
        ? app(request)
        : proxy(toNextRequest(request))
    return { app: route, basePath: "/api/auth", pages: ["/session"] }
  })
}, 60_000)
