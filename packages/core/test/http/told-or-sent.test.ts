import { Auth, raw } from "@latchkey/core"
import { expect, test } from "vitest"
import { application } from "../support/application.ts"

const told = { "x-auth-return-redirect": "1" }

test("4.1 a sign-in that names no provider leads to the own sign-in page, which knows where to", async () => {
  const visitor = application({ pages: { signIn: "/welcome" } }).visitor()
  const answer = await visitor.post("/auth/signin", {
    csrfToken: await visitor.csrf(),
    callbackUrl: "/deep",
  })
  expect(answer.headers.get("location")).toBe("https://app.example/auth/signin")
  const page = await visitor.follow(answer)
  const location = new URL(page.headers.get("location") ?? "", "https://app.example")
  expect(location.pathname).toBe("/welcome")
  expect(location.searchParams.get("callbackUrl")).toBe("https://app.example/deep")
})

test("1.4 a broken configuration answers alike, whoever asks", async () => {
  const { handle } = application({ secret: [], pages: { error: "/oops" } })
  const answer = await handle(new Request("https://app.example/auth/signin", { headers: told }))
  expect([answer.status, answer.headers.get("location")]).toEqual([
    302,
    "https://app.example/oops?error=Configuration",
  ])
})

test("1.5 the raw answer to a redirect is a redirect, whoever asks", async () => {
  const { config } = application({ pages: { signIn: "/welcome" } })
  const request = new Request("https://app.example/auth/signin", { headers: told })
  const answer = await Auth(request, { ...config, raw })
  expect(answer.redirect).toMatch(/^\/welcome\?callbackUrl=/)
  expect(answer).not.toHaveProperty("body")
})

test("1.1 of an error that is named twice, the last one is told", async () => {
  const { handle } = application({ pages: { error: "/oops" } })
  const url = "https://app.example/auth/error?error=Verification&error=AccessDenied"
  expect((await handle(new Request(url))).headers.get("location")).toBe("/oops?error=AccessDenied")
})
