/** A sign-in that waits for its second factor is no session, for the hook and the functions of the package. */
import { CompiledAuth } from "@latchkey/sveltekit"
import { test, vi } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

test("nothing takes it for a session", async () => {
  await testPendingSignIn((changes) => {
    const parts = CompiledAuth(createConfig(changes))
    const app = createApplication(parts, {
      "/base/session": ({ locals }) => locals.auth(),
      "/base/fresh": (event) => parts.requireFreshSession(event),
      "/base/signin": parts.signIn,
      "/base/signout": parts.signOut,
    })
    const pages = ["/base/session", "/base/fresh", "/base/signin", "/base/signout"]
    return { app, basePath: "/base/auth", pages }
  })
}, 60_000)
