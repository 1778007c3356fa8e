/** A sign-in that waits for its second factor is no session, for the plugin, the loader and the actions of the package. */
import { test, vi } from "vitest"
import { testPendingSignIn } from "../../../scripts/test/support/pending-sign-in.ts"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test("nothing takes it for a session", async () => {
  await testPendingSignIn((changes) => {
    const { handle, signInId, signOutId } = createApplication({ config: createConfig(changes) })
    const pages = ["/", `/?qaction=${signInId}`, `/?qaction=${signOutId}`]
    return { app: handle, origin: "http://app.example", pages }
  })
}, 60_000)
