/** Proving a factor in a running session, and what asks for it. */
import { requireLevel } from "@latchkey/core/second-factor"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  password,
  readSession,
  readSessionInfo,
  showCode,
  stepUpPath,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"

stopClock()

const strategies = ["jwt", "database"] as const
const sessionCookie = "__Secure-authjs.session-token"

/** Opens a browser whose session began before its user had a factor. */
async function openLevel1Browser(site: FactorSite) {
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const { secret } = await site.enrol()
  return { browser, secret }
}

const stepUp = (browser: TestBrowser, code: string, fields: Record<string, string> = {}) =>
  submitFactor(browser, code, "totp", { isStepUp: true, ...fields })

const findCookie = ({ cookies }: TestBrowser, name: string) =>
  [...cookies].find((cookie) => cookie.name === name)?.value

describe.each(strategies)("in a session with one factor (%s),", (strategy) => {
  test("the page asks for the other, and the same session goes on", async () => {
    const site = await createFactorSite({ session: { strategy, updateAge: 0 } })
    const { browser, secret } = await openLevel1Browser(site)
    const before = await readSessionInfo(site, browser)
    const token = findCookie(browser, sessionCookie)
    const page = await (await browser.open(`${stepUpPath}&callbackUrl=/payroll`)).text()
    expect(page).toContain('autocomplete="one-time-code"')
    expect(page).toContain('name="callbackUrl" value="https://app.example/payroll"')
    expect(page).toContain("Cancel")
    expect(page).not.toContain("Use another account")
    const wrong = await stepUp(browser, "000000", { callbackUrl: "/payroll" })
    const retry = new URL(wrong.headers.get("location") ?? "")
    expect(retry.searchParams.get("callbackUrl")).toBe("https://app.example/payroll")
    expect(await (await browser.open(retry.href)).text()).toContain("This code is incorrect.")
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
    const right = await stepUp(browser, await showCode(secret), { callbackUrl: "/payroll" })
    expect(right.headers.get("location")).toBe("https://app.example/payroll")
    for (const round of ["at once", "after a renewal"]) {
      const info = await readSessionInfo(site, browser)
      expect(info, round).toMatchObject({ level: 2, createdAt: before?.createdAt })
      expect(info?.id, round).toBe(before?.id)
      await browser.getSession()
    }
    if (strategy === "database") expect(findCookie(browser, sessionCookie)).toBe(token)
  })

  test("the level ends with the session, and is of no use to another one", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { browser, secret } = await openLevel1Browser(site)
    await stepUp(browser, await showCode(secret))
    const proof = [...browser.cookies].filter(({ name }) => name.endsWith(".second-factor"))
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await browser.signIn(site.provider)
    for (const { name, value } of proof)
      browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Bob" } })
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
  })

  test("a request of another site, or without the token, changes nothing", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { browser, secret } = await openLevel1Browser(site)
    const fields = { method: "totp", code: await showCode(secret) }
    await browser.post(stepUpPath, fields)
    await browser.post(
      stepUpPath,
      { ...fields, csrfToken: await browser.getCsrfToken() },
      { from: "https://evil.example" },
    )
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
    await stepUp(browser, fields.code)
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
  })
})

describe("the page for a session", () => {
  test("leads visitors without one to the sign-in page, and on", async () => {
    const site = await createFactorSite()
    const response = await site.openBrowser().open(`${stepUpPath}&callbackUrl=/payroll`)
    const url = new URL(response.headers.get("location") ?? "")
    expect(url.pathname).toBe("/auth/signin")
    expect(url.searchParams.get("callbackUrl")).toBe("https://app.example/payroll")
  })

  test("never leads to another site", async () => {
    const site = await createFactorSite()
    const { browser, secret } = await openLevel1Browser(site)
    const callbackUrl = "https://evil.example/"
    const page = await (await browser.open(`${stepUpPath}&callbackUrl=${callbackUrl}`)).text()
    expect(page).not.toContain("evil.example")
    const response = await stepUp(browser, await showCode(secret), { callbackUrl })
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test("counts attempts together with those of sign-ins", async () => {
    const limit = { max: 3, window: 600 }
    const site = await createFactorSite({
      attemptLimits: { "second-factor": { identifier: limit } },
    })
    const { browser, secret } = await openLevel1Browser(site)
    for (let count = 0; count < 3; count += 1) await stepUp(browser, "000000")
    const other = site.openBrowser()
    await other.signIn("credentials", password)
    const response = await submitFactor(other, await showCode(secret))
    expect(response.headers.get("location")).toContain("error=TooManyRequests")
    expect(await other.getSession()).toBeNull()
  })

  test("leaves a sign-in of somebody else in the same browser alone", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await browser.signIn(site.provider)
    const { secret } = await site.enrol()
    await browser.signIn("credentials", password)
    const page = await (await browser.open(stepUpPath)).text()
    expect(page).toContain("Set up an authenticator app")
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("does not take a code that the sign-in has used", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    await browser.signIn("credentials", password)
    const code = await showCode(secret)
    await submitFactor(browser, code)
    const before = await readSessionInfo(site, browser)
    vi.setSystemTime(Date.now() + 1000)
    await stepUp(browser, code)
    expect((await readSessionInfo(site, browser))?.factorTime).toEqual(before?.factorTime)
    await stepUp(browser, await showCode(secret, 1))
    expect((await readSessionInfo(site, browser))?.factorTime).not.toEqual(before?.factorTime)
  })
})

describe("requireLevel", () => {
  const check = (session: object | null, maxAge?: number) => {
    try {
      requireLevel(session, 2, { maxAge })
      return "passes"
    } catch (error) {
      return Object(error).type
    }
  }

  test.each(strategies)(
    "asks for a factor of this session, and a recent one (%s)",
    async (strategy) => {
      const site = await createFactorSite({ session: { strategy } })
      const { browser, secret } = await openLevel1Browser(site)
      expect(check(null)).toBe("SessionNotFresh")
      expect(check(await readSession(site, browser))).toBe("SessionNotFresh")
      await stepUp(browser, await showCode(secret))
      const session = await readSession(site, browser)
      expect([check(session), check(session, 600)]).toEqual(["passes", "passes"])
      vi.setSystemTime(Date.now() + 601_000)
      expect([check(session), check(session, 600)]).toEqual(["passes", "SessionNotFresh"])
      expect(check({ ...session })).toBe("SessionNotFresh")
    },
  )

  test("never falls back to one factor for users without a second one (Clerk, by design)", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    expect(check(await readSession(site, browser))).toBe("SessionNotFresh")
    const page = await (await browser.open(stepUpPath)).text()
    expect(page).toContain("Set up an authenticator app")
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
  })

  test("has one level", () => {
    expect(() => requireLevel({}, 3 as 2)).toThrow(TypeError)
  })
})

test("a sign-in that waits is not taken for the session of the page", async () => {
  const site = await createFactorSite()
  const { secret } = await site.enrol()
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const response = await stepUp(browser, await showCode(secret))
  expect(new URL(response.headers.get("location") ?? "").pathname).toBe("/auth/signin")
  expect(await browser.getSession()).toBeNull()
  const page = await browser.open(factorPath)
  expect(page.status).toBe(200)
})
