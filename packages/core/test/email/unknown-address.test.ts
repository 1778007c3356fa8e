import { expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { openLink } from "../support/open-link.ts"

/** Everything that the browser receives after a request for a link, except for random values. */
async function describeResponse(response: Response, setCookies: readonly string[]) {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== "set-cookie"),
    cookies: setCookies.map((line) => line.replace(/(?:email-request\.[\w-]+)?=[^;]*/, "=…")),
    body: await response.text(),
  }
}

test("a known and an unknown address get the same response", async () => {
  const app = await createEmailApp()
  await app.createUser({ email: "known@example.com" })
  const [known, unknown] = await Promise.all(
    ["known@example.com", "nobody@example.com"].map(async (address) => {
      const browser = app.openBrowser()
      return describeResponse(await app.requestLink(browser, address), browser.setCookieHeaders)
    }),
  )
  expect(known).toEqual(unknown)
  expect(app.inbox.messages.map(({ to }) => to[0]).sort()).toEqual([
    "known@example.com",
    "nobody@example.com",
  ])
})

test("a request for a link creates no user", async () => {
  const app = await createEmailApp()
  await app.requestLink(app.openBrowser(), "nobody@example.com")
  expect(app.countRows()).toEqual([0, 0, 0, 1])
})

test("a known and an unknown address with a wrong token get the same response", async () => {
  const app = await createEmailApp()
  await app.createUser({ email: "known@example.com" })
  const responses = await Promise.all(
    ["known@example.com", "nobody@example.com"].map(async (address) => {
      const browser = app.openBrowser()
      const link = `/auth/callback/nodemailer?token=${"0".repeat(64)}&email=${address}`
      return describeResponse(await openLink(browser, link), browser.setCookieHeaders)
    }),
  )
  expect(responses[0]).toEqual(responses[1])
})
