/** Signing in with the code of an e-mail, in a server function. */
import { Verification } from "@latchkey/core/errors"
import { signIn } from "@latchkey/solid-start"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createApplication } from "./support/application.ts"
import { changeCode, createCodeConfig } from "./support/code-config.ts"

const providerId = "email"
const email = "ada@example.com"
const getAddress = async (browser: TestBrowser) => (await browser.getSession())?.user?.email

async function openApplication() {
  const { config, codes } = await createCodeConfig()
  const app = createApplication(config, {
    "/enter": async ({ request }) =>
      signIn(config, new URLSearchParams(await request.text())).catch((error: unknown) => {
        if (!(error instanceof Verification)) throw error
        return { problem: error.codeProblem, attemptsLeft: error.attemptsLeft }
      }),
  })
  return { codes, openBrowser: () => createTestBrowser(app, { basePath: "/api/auth" }) }
}

test("the code of an e-mail leads to where the request wanted to go", async () => {
  const { codes, openBrowser } = await openApplication()
  const ada = openBrowser()
  await ada.post("/enter", { providerId, email, redirectTo: "/members" })
  const response = await ada.post("/enter", { providerId, code: codes[0] ?? "" })
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("https://app.example/members")
  expect(await getAddress(ada)).toBe(email)
})

test("the server function throws why a code is refused", async () => {
  const { codes, openBrowser } = await openApplication()
  const ada = openBrowser()
  await ada.post("/enter", { providerId, email })
  const wrong = await ada.post("/enter", { providerId, code: changeCode(codes[0]) })
  expect(await wrong.json()).toEqual({ problem: "incorrect", attemptsLeft: 4 })
  const elsewhere = await openBrowser().post("/enter", { providerId, email, code: codes[0] ?? "" })
  expect(await elsewhere.json()).toEqual({ problem: "invalid" })
  expect(await getAddress(ada)).toBeUndefined()
})
