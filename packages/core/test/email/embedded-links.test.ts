import { expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"

test.each(["image", "iframe", "empty", "script"])(
  "a link that a page embeds (%s) is not consumed, and signs nobody in",
  async (destination) => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    const link = await app.receiveLink(browser)
    const headers = { "sec-fetch-dest": destination }
    const response = await app.handle(new Request(link, { headers }))
    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie().join()).not.toContain("session-token")
    await browser.open(link)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  },
)
