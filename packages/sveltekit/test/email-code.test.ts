/** Signing in with the code of an e-mail, by a form action. */
import { Verification } from "@latchkey/core/errors"
import { CompiledAuth } from "@latchkey/sveltekit"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { createApplication } from "./support/application.ts"
import { changeCode, createCodeConfig } from "./support/code-config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const providerId = "email"
const email = "ada@example.com"
const getAddress = async (browser: TestBrowser) => (await browser.getSession())?.user?.email

async function openApplication() {
  const { config, codes } = await createCodeConfig()
  const parts = CompiledAuth(config)
  const app = createApplication(parts, {
    "/signin": parts.signIn,
    "/check": (event) =>
      parts.signIn(event).catch((error: unknown) => {
        if (!(error instanceof Verification)) throw error
        return { problem: error.codeProblem, attemptsLeft: error.attemptsLeft }
      }),
  })
  return { codes, openBrowser: () => createTestBrowser(app, { basePath: "/base/auth" }) }
}

test.each([
  ["where the request wanted to go, not back to its page", {}, "/members"],
  ["where its form says", { redirectTo: "/inbox" }, "/inbox"],
])("the code of an e-mail leads %s", async (_, fields: Record<string, string>, expected) => {
  const { codes, openBrowser } = await openApplication()
  const ada = openBrowser()
  await ada.post("/signin", { providerId, email, redirectTo: "/members" })
  const headers = { referer: `${ada.origin}/check?provider=email` }
  const code = codes[0] ?? ""
  const response = await ada.post("/check", { providerId, code, ...fields }, { headers })
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe(expected)
  expect(await getAddress(ada)).toBe(email)
})

test("the action throws why a code is refused", async () => {
  const { codes, openBrowser } = await openApplication()
  const ada = openBrowser()
  await ada.post("/signin", { providerId, email })
  const wrong = await ada.post("/check", { providerId, code: changeCode(codes[0]) })
  expect(await wrong.json()).toEqual({ problem: "incorrect", attemptsLeft: 4 })
  const elsewhere = await openBrowser().post("/check", { providerId, email, code: codes[0] ?? "" })
  expect(await elsewhere.json()).toEqual({ problem: "invalid" })
  expect(await getAddress(ada)).toBeUndefined()
})
