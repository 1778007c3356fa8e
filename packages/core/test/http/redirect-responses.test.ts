import { Auth, raw } from "@latchkey/core"
import { expect, test } from "vitest"
import { createTestApp } from "../support/test-app.ts"

const returnRedirectHeader = { "x-auth-return-redirect": "1" }

test("a sign-in that names no provider leads to the own sign-in page, which knows where to", async () => {
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

test("a broken configuration answers alike, whoever asks", async () => {
  const { handle } = createTestApp({ secret: [], pages: { error: "/oops" } })
  const response = await handle(
    new Request("https://app.example/auth/signin", { headers: returnRedirectHeader }),
  )
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    "https://app.example/oops?error=Configuration",
  ])
})

test("the raw answer to a redirect is a redirect, whoever asks", async () => {
  const { config } = createTestApp({ pages: { signIn: "/welcome" } })
  const request = new Request("https://app.example/auth/signin", { headers: returnRedirectHeader })
  const response = await Auth(request, { ...config, raw })
  expect(response.redirect).toMatch(/^\/welcome\?callbackUrl=/)
  expect(response).not.toHaveProperty("body")
})

test("of an error that is named twice, the last one is told", async () => {
  const { handle } = createTestApp({ pages: { error: "/oops" } })
  const url = "https://app.example/auth/error?error=Verification&error=AccessDenied"
  expect((await handle(new Request(url))).headers.get("location")).toBe("/oops?error=AccessDenied")
})
