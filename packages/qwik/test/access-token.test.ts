import { getAccessToken } from "@latchkey/qwik"
import { createScriptedProvider, withFrozenTime } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { openTestApplication, type QwikEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

test("a refreshed access token in the session reaches the cookie of the response", async () => {
  const provider = await createScriptedProvider({ refreshTokens: "rotated" })
  const config = createConfig({
    providers: [provider.asOidc()],
    session: { strategy: "jwt", providerTokens: true },
  })
  const sendToken = async (event: QwikEvent & { json(status: number, data: unknown): void }) =>
    event.json(200, await getAccessToken(event, "scripted", {}, config))
  const { visitor: user } = openTestApplication({
    config,
    routes: { "/token": { onGet: sendToken } },
  })
  await user.signIn(provider)
  provider.clearRequests()
  const readToken = async () => (await user.open("/token")).json()
  const hour = 3_600_000
  const renewed = await withFrozenTime(Date.now() + hour, readToken)
  expect(renewed).toEqual(await withFrozenTime(Date.now() + hour, readToken))
  expect(provider.tokenRequests).toHaveLength(1)
})
