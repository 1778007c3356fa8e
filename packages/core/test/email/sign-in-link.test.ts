import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { openLink } from "../support/open-link.ts"

describe("a sign-in link", () => {
  test("signs in the user of the browser that opens it", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    const asked = await app.requestLink(ada, "ada@example.com", { callbackUrl: "/welcome" })
    expect(asked.headers.get("location")).toBe(
      "https://app.example/auth/verify-request?provider=nodemailer&type=email",
    )
    const response = await ada.open(app.inbox.getLatestLink())
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe("https://app.example/welcome")
    expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })

  test("is only sent to the address, as text and as HTML", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const [mail] = app.inbox.messages
    expect(mail).toMatchObject({
      from: "hello@app.example",
      to: ["ada@example.com"],
      subject: "Sign in to app.example",
    })
    expect(mail?.html).toContain(link.href.replaceAll("&", "&amp;"))
    expect([...link.searchParams.keys()]).toEqual(["callbackUrl", "token", "email"])
  })

  test("works in another browser than the one that requested it, once it is confirmed", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const phone = app.openBrowser()
    await openLink(phone, link)
    expect(await phone.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("has a new token of 256 bits, which is stored only as a keyed hash", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    const tokens = [await app.receiveLink(ada), await app.receiveLink(ada)].map((link) =>
      link.searchParams.get("token"),
    )
    expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(tokens[1]).not.toBe(tokens[0])
    const rows = app.rows("VerificationToken")
    expect(rows.map(({ identifier }) => identifier)).toEqual(["ada@example.com", "ada@example.com"])
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
    expect(new Set(rows.map(({ token }) => token)).size).toBe(2)
  })

  test("has another hash with another secret", async () => {
    const token = "a-token-that-is-always-the-same"
    const hashes: unknown[] = []
    for (const secret of [
      "one secret of thirty-two letters",
      "another one of thirty-two letters",
    ]) {
      const app = await createEmailApp({ secret }, { generateVerificationToken: () => token })
      await app.receiveLink(app.openBrowser())
      hashes.push(app.rows("VerificationToken")[0]?.["token"])
    }
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test("is valid for the configured time, a day by default", async () => {
    for (const [options, seconds] of [
      [{}, 86_400],
      [{ maxAge: 600 }, 600],
    ] as const) {
      const app = await createEmailApp({}, options)
      const before = Date.now()
      await app.receiveLink(app.openBrowser())
      const expires = Number(app.rows("VerificationToken")[0]?.["expires"])
      expect(expires).toBeGreaterThanOrEqual(before + seconds * 1000)
      expect(expires).toBeLessThanOrEqual(Date.now() + seconds * 1000)
    }
  })

  test("is refused the second time", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    await ada.open(link)
    const mallory = app.openBrowser()
    const response = await openLink(mallory, link)
    assertRefused(response)
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/error?error=Verification",
    )
    expect(await mallory.getSession()).toBeNull()
    expect(await ada.getSession()).not.toBeNull()
  })

  test("that is opened five times at once signs in once", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const visitors = Array.from({ length: 5 }, () => app.openBrowser())
    await Promise.all(visitors.map((browser) => openLink(browser, link)))
    const sessions = await Promise.all(visitors.map((browser) => browser.getSession()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })
})
