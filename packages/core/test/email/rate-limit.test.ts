import type { RateLimitedAttempt } from "@latchkey/core"
import { assertRefused, errorOf } from "@latchkey/testing"
import { expect, test } from "vitest"
import { postOffice } from "../support/post-office.ts"

/** A post office that lets through what `allows` says, and notes what it was asked. */
async function limited(allows: (attempt: RateLimitedAttempt) => boolean) {
  const attempts: RateLimitedAttempt[] = []
  const office = await postOffice({
    rateLimit(attempt) {
      attempts.push(attempt)
      return allows(attempt)
    },
  })
  return { ...office, attempts }
}

test("92 the application is asked before a link is sent, and before one is used", async () => {
  const office = await limited(() => true)
  const ada = office.visitor()
  await ada.open(await office.link(ada, "Ada@example.com"))
  const common = { provider: "nodemailer", identifier: "ada@example.com" }
  expect(office.attempts).toMatchObject([
    { ...common, action: "email-request" },
    { ...common, action: "email-link" },
  ])
  expect(office.attempts[1]?.request.url).toContain("/auth/callback/nodemailer?")
})

test("92 a refused request sends nothing and asks neither database nor `signIn`", async () => {
  const office = await limited(() => false)
  const answer = await office.ask(office.visitor())
  assertRefused(answer)
  expect(answer.headers.get("location")).toBe(
    "https://app.example/auth/signin?error=TooManyRequests",
  )
  expect(office.calls).toEqual([])
  expect(office.box.messages).toEqual([])
})

test("92 a refused guess is not looked up, and the link is not used", async () => {
  let allowed = true
  const office = await limited(() => allowed)
  const ada = office.visitor()
  const link = await office.link(ada)
  allowed = false
  office.calls.length = 0
  const answer = await ada.open(link)
  assertRefused(answer)
  expect(errorOf(answer)).toBe("TooManyRequests")
  expect(office.calls).toEqual([])
  allowed = true
  await ada.open(link)
  expect(await ada.session()).not.toBeNull()
})

test.each([
  ["throws", () => Promise.reject(new Error("the counter is gone"))],
  ["says nothing", () => undefined as unknown as boolean],
])("a `rateLimit` that %s lets nobody through", async (_, rateLimit) => {
  const office = await postOffice({ rateLimit })
  assertRefused(await office.ask(office.visitor()))
  expect(office.box.messages).toEqual([])
  expect(office.counts()).toEqual([0, 0, 0, 0])
})
