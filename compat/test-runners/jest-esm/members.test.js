import { createAuth } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing/browser"
import { withFrozenTime } from "@latchkey/testing/clock"
import { createScriptedProvider } from "@latchkey/testing/provider"
import { createTestSession, resetAttemptLimits } from "@latchkey/testing/session"

const provider = await createScriptedProvider({ id: "work" })
const config = { providers: [provider.asOidc()], secret: crypto.randomUUID(), trustHost: true }
const auth = createAuth(config)
const tomorrow = Date.now() + 86_400_000

beforeEach(resetAttemptLimits)

test("signs in at the provider", async () => {
  const browser = createTestBrowser(auth.handle)
  await browser.signIn(provider)
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
})

test("keeps people signed in until tomorrow", async () => {
  const cookie = await createTestSession(config, { name: "Grace" })
  const request = new Request("https://app.example/", { headers: { cookie } })
  const { session } = await withFrozenTime(tomorrow, () => auth.getSession(request))
  expect(session).toMatchObject({ user: { name: "Grace" } })
})
