/** Responses have a body, and a content type that says what it is. */
import { expect, test } from "vitest"
import { createPasswordApp, password } from "../support/password-app.ts"

test.each(["session", "csrf", "providers", "signin", "signout", "error", "verify-request"])(
  "the response of %s has a content type",
  async (action) => {
    const browser = createPasswordApp().openBrowser()
    await browser.signIn("credentials", { name: "ada", password })
    const response = await browser.open(`/auth/${action}`)
    expect(response.headers.get("content-type")).toMatch(/^(?:text\/html|application\/json)/)
    expect(await response.text()).not.toBe("")
  },
)

test.each([
  ["POST", 400],
  ["PUT", 405],
])("a refused %s has a content type", async (method, status) => {
  const response = await createPasswordApp().handle(
    new Request("https://app.example/auth/session", { method }),
  )
  expect(response.status).toBe(status)
  expect(response.headers.get("content-type")).toBe("application/json")
})
