import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"

describe("a link by e-mail", () => {
  test("signs a person in, in the browser that opens it", async () => {
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

  test("is in the mail to the address and to nobody else, as text and as HTML", async () => {
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

  test("works in another browser than the one that asked for it", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const phone = app.openBrowser()
    await phone.open(link)
    expect(await phone.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("holds a new token of 256 bits, which is stored as a keyed hash alone", async () => {
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

  test("has a hash that another secret would not make", async () => {
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

  test("lasts as long as the provider says, a day by default", async () => {
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
    const response = await mallory.open(link)
    assertRefused(response)
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/error?error=Verification",
    )
    expect(await mallory.getSession()).toBeNull()
    expect(await ada.getSession()).not.toBeNull()
  })

  test("of five clicks at once, one is let in", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const visitors = Array.from({ length: 5 }, () => app.openBrowser())
    await Promise.all(visitors.map((browser) => browser.open(link)))
    const sessions = await Promise.all(visitors.map((browser) => browser.getSession()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })
})
