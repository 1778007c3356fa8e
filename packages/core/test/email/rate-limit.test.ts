import type { RateLimitAttempt } from "@latchkey/core"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"

/** An application whose `rateLimit` returns what `allows` returns, and records the attempts. */
async function createRateLimitedApp(allows: (attempt: RateLimitAttempt) => boolean) {
  const attempts: RateLimitAttempt[] = []
  const app = await createEmailApp({
    rateLimit(attempt) {
      attempts.push(attempt)
      return allows(attempt)
    },
  })
  return { ...app, attempts }
}

test("`rateLimit` is called before a link is sent, and before one is consumed", async () => {
  const app = await createRateLimitedApp(() => true)
  const ada = app.openBrowser()
  await ada.open(await app.receiveLink(ada, "Ada@example.com"))
  const common = { provider: "nodemailer", identifier: "ada@example.com" }
  expect(app.attempts).toMatchObject([
    { ...common, action: "email-request" },
    { ...common, action: "email-link" },
  ])
  expect(app.attempts[1]?.request.url).toContain("/auth/callback/nodemailer?")
})

test("a refused request sends nothing and calls neither the database nor `signIn`", async () => {
  const app = await createRateLimitedApp(() => false)
  const response = await app.requestLink(app.openBrowser())
  assertRefused(response)
  expect(response.headers.get("location")).toBe(
    "https://app.example/auth/signin?error=TooManyRequests",
  )
  expect(app.calls).toEqual([])
  expect(app.inbox.messages).toEqual([])
})

test("a refused attempt is not looked up, and the link is not consumed", async () => {
  let allowed = true
  const app = await createRateLimitedApp(() => allowed)
  const ada = app.openBrowser()
  const link = await app.receiveLink(ada)
  allowed = false
  app.calls.length = 0
  const response = await ada.open(link)
  assertRefused(response)
  expect(getRedirectError(response)).toBe("TooManyRequests")
  expect(app.calls).toEqual([])
  allowed = true
  await ada.open(link)
  expect(await ada.getSession()).not.toBeNull()
})

test.each([
  ["throws", () => Promise.reject(new Error("the counter is gone"))],
  ["returns undefined", () => undefined as unknown as boolean],
])("a `rateLimit` that %s refuses the request", async (_, rateLimit) => {
  const app = await createEmailApp({ rateLimit })
  assertRefused(await app.requestLink(app.openBrowser()))
  expect(app.inbox.messages).toEqual([])
  expect(app.countRows()).toEqual([0, 0, 0, 0])
})
