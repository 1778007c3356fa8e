import { createAuth } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing/browser"
import { createScriptedProvider } from "@latchkey/testing/provider"
import { createTestSession, resetAttemptLimits } from "@latchkey/testing/session"
import { afterEach, beforeEach, expect, test, vi } from "vitest"

const provider = await createScriptedProvider({ id: "work" })
const config = { providers: [provider.asOidc()], secret: crypto.randomUUID(), trustHost: true }
const auth = createAuth(config)

beforeEach(resetAttemptLimits)
afterEach(() => vi.useRealTimers())

test("signs in at the provider", async () => {
  const browser = createTestBrowser(auth.handle)
  await browser.signIn(provider)
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
})

test("keeps people signed in until tomorrow", async () => {
  const cookie = await createTestSession(config, { name: "Grace" })
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 })
  const request = new Request("https://app.example/", { headers: { cookie } })
  const { session } = await auth.getSession(request)
  expect(session).toMatchObject({ user: { name: "Grace" } })
})
