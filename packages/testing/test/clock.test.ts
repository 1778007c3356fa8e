import nodemailer from "@latchkey/core/providers/nodemailer"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  assertRefused,
  createMailbox,
  createScriptedProvider,
  createTestSessionCookies,
  getRedirectError,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { createBrowser, createConfig } from "./support/test-application.ts"

test("the clock is frozen at another time, and continues afterwards", async () => {
  const before = Date.now()
  const seen = await withFrozenTime(new Date("2031-01-01T00:00:00Z"), async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return [Date.now(), new Date().toISOString(), new Date(0).getTime(), new Date() instanceof Date]
  })
  expect(seen).toEqual([Date.UTC(2031, 0), "2031-01-01T00:00:00.000Z", 0, true])
  expect(Date.now()).toBeGreaterThanOrEqual(before)
  await expect(withFrozenTime(0, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(Date.now()).toBeGreaterThanOrEqual(before)
})

describe("the frozen clock determines the age of", () => {
  const minute = 60_000
  const runLater = (minutes: number, run: () => Promise<unknown>) =>
    withFrozenTime(Date.now() + minutes * minute, run)

  async function createAdapter() {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    return SqlAdapter(database)
  }

  test.each(["jwt", "database"] as const)("sessions: %s", async (strategy) => {
    const session = { strategy, maxAge: 3600, updateAge: 1800 }
    const config = createConfig([], { adapter: await createAdapter(), session })
    const browser = createBrowser(config)
    const { setCookieHeaders } = await createTestSessionCookies(
      config,
      { name: "Ada" },
      { url: browser.origin },
    )
    browser.storeCookies(setCookieHeaders)
    await runLater(20, async () => {
      expect(await browser.getSession()).not.toBeNull()
      expect(browser.setCookieHeaders.filter((line) => /session-token/.test(line))).toEqual([])
    })
    await runLater(40, async () => {
      await browser.getSession()
      expect(browser.setCookieHeaders.filter((line) => /session-token/.test(line))).toHaveLength(1)
    })
    await runLater(90, async () => expect(await browser.getSession()).not.toBeNull())
    await runLater(190, async () => expect(await browser.getSession()).toBeNull())
  })

  test("links", async () => {
    await using mailbox = await createMailbox()
    const mail = nodemailer({ server: mailbox.server, from: "door@app.example", maxAge: 600 })
    const browser = createBrowser(createConfig([mail], { adapter: await createAdapter() }))
    const requestLink = async () => {
      await browser.signIn("nodemailer", { email: "ada@example.com" })
      await mailbox.waitForMail()
      return mailbox.getLatestLink()
    }
    const [one, two] = [await requestLink(), await requestLink()]
    await runLater(11, async () =>
      expect(getRedirectError(await browser.open(one))).toBe("Verification"),
    )
    await runLater(9, async () => expect(getRedirectError(await browser.open(two))).toBeNull())
  })

  test("pending sign-ins", async () => {
    const provider = await createScriptedProvider()
    const browser = createBrowser(createConfig([provider.asOidc()]))
    const [one, two] = [await browser.startSignIn(provider), await browser.startSignIn(provider)]
    const completeSignIn = (url: URL) => browser.open(provider.approve(url))
    await runLater(14, async () => expect(getRedirectError(await completeSignIn(one))).toBeNull())
    browser.cookies.delete("__Secure-authjs.session-token")
    await runLater(16, async () => assertRefused(await completeSignIn(two)))
  })
})
