const { createAuth } = require("@latchkey/core")
const { createTestBrowser } = require("@latchkey/testing/browser")
const { createScriptedProvider } = require("@latchkey/testing/provider")
const { createTestSession, resetAttemptLimits } = require("@latchkey/testing/session")

const secret = crypto.randomUUID()

beforeEach(resetAttemptLimits)

test("signs in at the provider", async () => {
  const provider = await createScriptedProvider({ id: "work" })
  const auth = createAuth({ providers: [provider.asOidc()], secret, trustHost: true })
  const browser = createTestBrowser(auth.handle)
  await browser.signIn(provider)
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
})

test("greets members", async () => {
  const config = { providers: [], secret, trustHost: true }
  const cookie = await createTestSession(config, { name: "Grace" })
  const request = new Request("https://app.example/", { headers: { cookie } })
  const { session } = await createAuth(config).getSession(request)
  expect(session).toMatchObject({ user: { name: "Grace" } })
})
