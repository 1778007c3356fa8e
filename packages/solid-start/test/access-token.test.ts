import { getAccessToken } from "@latchkey/solid-start"
import { createScriptedProvider, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createApplication, createEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

test("a refreshed access token in the session reaches the cookie of the response", async () => {
  const provider = await createScriptedProvider({ refreshTokens: "rotated" })
  const config = createConfig({
    providers: [provider.asOidc()],
    session: { strategy: "jwt", providerTokens: true },
  })
  const user = createTestBrowser(createApplication(config), { basePath: "/api/auth" })
  await user.signIn(provider)
  provider.clearRequests()
  const cookie = [...user.cookies].map(({ raw }) => raw.split(";", 1)[0]).join("; ")
  const event = createEvent(new Request(`${user.origin}/page`, { headers: { cookie } }))
  const before = await getAccessToken(event, config, "scripted")
  expect(event.response.headers.getSetCookie()).toEqual([])
  const hour = 3_600_000
  const after = await withFrozenTime(Date.now() + hour, () =>
    getAccessToken(event, config, "scripted"),
  )
  expect(after.accessToken).not.toBe(before.accessToken)
  expect(event.response.headers.getSetCookie()).not.toEqual([])
  expect(provider.tokenRequests).toHaveLength(1)
})
