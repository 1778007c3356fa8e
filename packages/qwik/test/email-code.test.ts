/** Signing in with the code of an e-mail, by the action of a form. */
import { expect, test, vi } from "vitest"
import { openTestApplication, type PageData } from "./support/application.ts"
import { changeCode, createCodeConfig } from "./support/code-config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const providerId = "email"
const email = "ada@example.com"

async function openApplication() {
  const { config, codes } = await createCodeConfig()
  const routes = { "/check": { default: () => undefined } }
  return { ...openTestApplication({ config, routes }), codes }
}

test.each([
  ["where the request wanted to go, not back to its page", {}, "/members"],
  ["where its form says", { redirectTo: "/inbox" }, "/inbox"],
])("the code of an e-mail leads %s", async (_, fields: Record<string, string>, expected) => {
  const { codes, signIn, shown } = await openApplication()
  await signIn({ providerId, "options.email": email, redirectTo: "/members" })
  const code = codes[0] ?? ""
  const response = await signIn({ providerId, "options.code": code, ...fields }, "/check")
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe(`http://app.example${expected}`)
  expect(await shown()).toMatchObject({ session: { user: { email } } })
})

test("the action returns why a code is refused, and the page does not contain it", async () => {
  const { codes, signIn, shown } = await openApplication()
  await signIn({ providerId, "options.email": email })
  const wrongCode = changeCode(codes[0])
  const response = await signIn({ providerId, "options.code": wrongCode }, "/check")
  expect(response.status).toBe(403)
  const text = await response.text()
  const page: PageData = JSON.parse(text)
  expect(page.result).toMatchObject({
    failed: true,
    formErrors: ["Verification"],
    reason: "incorrect",
    attemptsLeft: 4,
  })
  expect(text).not.toContain(wrongCode)
  expect(await shown()).toMatchObject({ session: null })
})
