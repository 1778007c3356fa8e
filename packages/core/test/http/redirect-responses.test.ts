import { Auth, raw } from "@latchkey/core"
import { expect, test } from "vitest"
import { createTestApp } from "../support/test-app.ts"

const returnRedirectHeader = { "x-auth-return-redirect": "1" }

test("a sign-in without a provider redirects to the sign-in page and keeps the callback URL", async () => {
  const browser = createTestApp({ pages: { signIn: "/welcome" } }).openBrowser()
  const response = await browser.post("/auth/signin", {
    csrfToken: await browser.getCsrfToken(),
    callbackUrl: "/deep",
  })
  expect(response.headers.get("location")).toBe("https://app.example/auth/signin")
  const page = await browser.followRedirect(response)
  const location = new URL(page.headers.get("location") ?? "", "https://app.example")
  expect(location.pathname).toBe("/welcome")
  expect(location.searchParams.get("callbackUrl")).toBe("https://app.example/deep")
})

test("an invalid configuration returns the same response to every client", async () => {
  const { handle } = createTestApp({ secret: [], pages: { error: "/oops" } })
  const response = await handle(
    new Request("https://app.example/auth/signin", { headers: returnRedirectHeader }),
  )
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    "https://app.example/oops?error=Configuration",
  ])
})

test("the raw result of a redirect is a redirect for every client", async () => {
  const { config } = createTestApp({ pages: { signIn: "/welcome" } })
  const request = new Request("https://app.example/auth/signin", { headers: returnRedirectHeader })
  const response = await Auth(request, { ...config, raw })
  expect(response.redirect).toMatch(/^\/welcome\?callbackUrl=/)
  expect(response).not.toHaveProperty("body")
})

test("the last of several errors in the query is shown", async () => {
  const { handle } = createTestApp({ pages: { error: "/oops" } })
  const url = "https://app.example/auth/error?error=Verification&error=AccessDenied"
  expect((await handle(new Request(url))).headers.get("location")).toBe("/oops?error=AccessDenied")
})
