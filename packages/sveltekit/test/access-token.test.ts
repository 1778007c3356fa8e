import { CompiledAuth } from "@latchkey/sveltekit"
import { createScriptedProvider, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { createApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

test("a refreshed access token in the session reaches the cookie of the response", async () => {
  const provider = await createScriptedProvider({ refreshTokens: "rotated" })
  const parts = CompiledAuth(
    createConfig({
      providers: [provider.asOidc()],
      session: { strategy: "jwt", providerTokens: true },
    }),
  )
  const app = createApplication(parts, {
    "/token": (event) => parts.getAccessToken(event, "scripted"),
  })
  const user = createTestBrowser(app, { basePath: "/base/auth" })
  await user.signIn(provider)
  provider.clearRequests()
  const readToken = async () => (await user.open("/token")).json()
  const hour = 3_600_000
  const renewed = await withFrozenTime(Date.now() + hour, readToken)
  expect(renewed).toEqual(await withFrozenTime(Date.now() + hour, readToken))
  expect(provider.tokenRequests).toHaveLength(1)
})
