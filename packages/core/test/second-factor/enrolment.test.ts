/** Adding the first factor on the page: because the user must have one, or in a session. */
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
const everybody = () => true

/** What the page for a new app shows. */
interface SetupPage {
  readonly text: string
  readonly secret: string
  readonly setup: string
}

async function readSetupPage(response: Response): Promise<SetupPage> {
  const text = await response.text()
  const [, key = ""] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(text) ?? []
  const [, setup = ""] = /name="setup" value="([^"]+)"/.exec(text) ?? []
  return { text, secret: key.replaceAll(" ", ""), setup }
}

const openSetupPage = async (browser: TestBrowser, path = factorPath) =>
  readSetupPage(await browser.open(path))

async function submitSetup(
  browser: TestBrowser,
  setup: string,
  code: string,
  path = factorPath,
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  return browser.post(path, { csrfToken, setup, code })
}

const listCodes = (page: string) => [...page.matchAll(/<code>([\da-z-]{14})<\/code>/g)]

async function openPendingBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider, { callbackUrl: "/inbox" })
  return browser
}

function copyBrowser(site: FactorSite, { cookies, origin }: TestBrowser): TestBrowser {
  const copy = site.openBrowser()
  for (const { name, value } of cookies)
    copy.cookies.setUnchecked(origin, `${name}=${value}; Path=/; Secure`)
  return copy
}

describe.each(strategies)("a user who must have a factor, and has none (%s),", (strategy) => {
  test("adds one before the session begins, and sees the recovery codes once", async () => {
    const added: unknown[] = []
    const site = await createFactorSite({
      session: { strategy },
      require: ({ email }) => email === password.email,
      events: { addFactor: ({ factor }) => void added.push(factor.method) },
    })
    const browser = await openPendingBrowser(site)
    expect(await browser.getSession()).toBeNull()
    const { text, secret, setup } = await openSetupPage(browser)
    expect(text).toContain("Set up an authenticator app")
    expect(text).toMatch(/<svg role="img" aria-label="QR code"/)
    expect(text).toContain(`otpauth://totp/Riverside:ada%40example.com?secret=${secret}`)
    const wrong = await readSetupPage(await submitSetup(browser, setup, "000000"))
    expect(wrong).toMatchObject({ secret, setup })
    expect(wrong.text).toContain("This code is incorrect.")
    expect(added).toEqual([])
    const response = await submitSetup(browser, setup, await showCode(secret))
    expect(response.headers.get("cache-control")).toContain("no-store")
    const page = await response.text()
    expect(listCodes(page)).toHaveLength(10)
    expect(page).toContain('href="https://app.example/inbox"')
    expect(added).toEqual(["totp", "recovery-codes"])
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
    const again = await openPendingBrowser(site)
    await submitFactor(again, listCodes(page)[0]?.[1] ?? "", "recovery-codes")
    expect(await again.getSession()).not.toBeNull()
  })

  test("cannot go around it", async () => {
    const site = await createFactorSite({ session: { strategy }, require: everybody })
    const browser = await openPendingBrowser(site)
    for (const fields of [{}, { method: "totp" }, { setup: "" }, { setup: "x", code: "123456" }]) {
      const csrfToken = await browser.getCsrfToken()
      const response = await browser.post(factorPath, { csrfToken, ...fields })
      expect(await response.text()).toContain("Set up an authenticator app")
    }
    expect(await browser.getSession()).toBeNull()
    const outside = await browser.open(stepUpPath)
    expect(outside.headers.get("location")).toContain("/auth/signin")
    expect(await site.auth.factors.list(site.userId)).toEqual([])
  })

  test("adds one app with one sign-in, wherever its cookie is", async () => {
    const site = await createFactorSite({ session: { strategy }, require: everybody })
    const browser = await openPendingBrowser(site)
    const copy = copyBrowser(site, browser)
    const other = copyBrowser(site, browser)
    const { secret, setup } = await openSetupPage(browser)
    await submitSetup(browser, setup, await showCode(secret))
    await site.auth.factors.removeAll(site.userId)
    await submitSetup(copy, setup, await showCode(secret))
    const second = await openSetupPage(other)
    await submitSetup(other, second.setup, await showCode(second.secret))
    expect(await site.auth.factors.list(site.userId)).toEqual([])
    expect([await copy.getSession(), await other.getSession()]).toEqual([null, null])
  })
})

describe("a user who must have a factor", () => {
  test("is asked for it once they have one, also by a sign-in that began before", async () => {
    const site = await createFactorSite({ require: everybody })
    const browser = await openPendingBrowser(site)
    const { secret: another, setup } = await openSetupPage(browser)
    const { secret } = await site.enrol()
    await submitSetup(browser, setup, await showCode(another))
    expect(await browser.getSession()).toBeNull()
    expect(await site.auth.factors.list(site.userId)).toHaveLength(2)
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).not.toBeNull()
  })

  test("cannot add the app of another user's page", async () => {
    const site = await createFactorSite({ require: everybody })
    const { setup, secret } = await site.auth.factors.startTotp({
      userId: "bob",
      session: { createdAt: new Date() },
    })
    const browser = await openPendingBrowser(site)
    const page = await readSetupPage(await submitSetup(browser, setup, await showCode(secret)))
    expect(page.secret).not.toBe(secret)
    expect(await browser.getSession()).toBeNull()
  })

  test("cannot remove the last one, but support can", async () => {
    const site = await createFactorSite({ require: everybody })
    const { factor } = await site.enrol()
    const input = { userId: site.userId, session: { createdAt: new Date() } }
    const removal = site.auth.factors.remove({ ...input, id: factor.id })
    await expect(removal).rejects.toMatchObject({ type: "LastFactor" })
    await site.enrol()
    expect(await site.auth.factors.remove({ ...input, id: factor.id })).toBe(true)
    expect(await site.auth.factors.removeAll(site.userId)).toBe(2)
  })

  test("is not signed in if that cannot be decided", async () => {
    const site = await createFactorSite({
      require: () => Promise.reject(new Error("The directory is down")),
    })
    const browser = await openPendingBrowser(site)
    expect(await browser.getSession()).toBeNull()
    expect(site.log.errorCodes).toContain("CallbackRouteError")
  })

  test("is told by the account of the sign-in", async () => {
    const accounts: unknown[] = []
    const site = await createFactorSite({
      require: (_, account) => {
        accounts.push(account?.provider)
        return account?.provider === "credentials"
      },
    })
    const browser = await openPendingBrowser(site)
    expect(await browser.getSession()).not.toBeNull()
    const other = site.openBrowser()
    await other.signIn("credentials", password)
    expect(await other.getSession()).toBeNull()
    expect(accounts).toEqual([site.provider.id, "credentials"])
  })

  test("needs none here if the provider has asked for two", async () => {
    const first = await createFactorSite()
    const accept = { [first.provider.id]: { amr: ["mfa"] } }
    const site = await createFactorSite({ require: everybody, accept })
    const user = { sub: "ada", name: "Ada", email: password.email, email_verified: true }
    site.provider.setUser({ ...user, amr: ["pwd", "mfa"] })
    const browser = await openPendingBrowser(site)
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
  })
})

describe.each(strategies)("in a session without a factor (%s),", (strategy) => {
  async function openSignedInBrowser() {
    const site = await createFactorSite({ session: { strategy } })
    return { site, browser: await openPendingBrowser(site) }
  }

  test("the page adds one, which counts at once", async () => {
    const { site, browser } = await openSignedInBrowser()
    const path = `${stepUpPath}&callbackUrl=/security`
    const { secret, setup } = await openSetupPage(browser, path)
    const before = await readSessionInfo(site, browser)
    const csrfToken = await browser.getCsrfToken()
    const code = await showCode(secret)
    const fields = { csrfToken, setup, code, callbackUrl: "/security" }
    const page = await (await browser.post(stepUpPath, fields)).text()
    expect(listCodes(page)).toHaveLength(10)
    expect(page).toContain('href="https://app.example/security"')
    const after = await readSessionInfo(site, browser)
    expect([before?.level, after?.level]).toEqual([1, 2])
    expect(after?.createdAt).toEqual(before?.createdAt)
    const session = await readSession(site, browser)
    if (!session) throw new Error("The session has ended.")
    const { userId } = site
    expect(await site.auth.factors.replaceRecoveryCodes({ userId, session })).toHaveLength(10)
  })

  test("a form that is sent twice adds one app", async () => {
    const { site, browser } = await openSignedInBrowser()
    const { secret, setup } = await openSetupPage(browser, stepUpPath)
    const code = await showCode(secret)
    await Promise.all([0, 1].map(() => submitSetup(browser, setup, code, stepUpPath)))
    const infos = await site.auth.factors.list(site.userId)
    expect(infos.map(({ method }) => method)).toEqual(["totp", "recovery-codes"])
    expect(site.log.errorCodes).toEqual([])
  })

  test("that is not fresh, people sign in again first", async () => {
    const { site, browser } = await openSignedInBrowser()
    const { secret, setup } = await openSetupPage(browser, stepUpPath)
    vi.setSystemTime(Date.now() + 601_000)
    const { headers } = await browser.open(`${stepUpPath}&callbackUrl=/security`)
    const url = new URL(headers.get("location") ?? "")
    expect(url.pathname).toBe("/auth/signin")
    expect(Object.fromEntries(url.searchParams)).toEqual({
      prompt: "login",
      callbackUrl: "https://app.example/security",
    })
    await submitSetup(browser, setup, await showCode(secret), stepUpPath)
    expect(await site.auth.factors.list(site.userId)).toEqual([])
  })
})

describe.each(strategies)("a user with a factor (%s)", (strategy) => {
  const addPath = `${stepUpPath}&add=true&callbackUrl=/account`

  test("adds another one on the page, once they have proven the one they have", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const { secret } = await site.enrol()
    const asked = await (await browser.open(addPath)).text()
    expect(asked).toContain("Enter the code that your authenticator app shows.")
    const [, action = ""] = /<form action="([^"]+)"/.exec(asked) ?? []
    const csrfToken = await browser.getCsrfToken()
    const form = { csrfToken, method: "totp", callbackUrl: "/account" }
    const path = action.replaceAll("&amp;", "&")
    const proven = await browser.post(path, { ...form, code: await showCode(secret) })
    const page = await openSetupPage(browser, proven.headers.get("location") ?? "")
    expect(page.text).toContain("Set up an authenticator app")
    expect(page.secret).not.toBe(secret)
    const code = await showCode(page.secret)
    const added = await browser.post(path, { ...form, setup: page.setup, code })
    expect(added.headers.get("location")).toBe("https://app.example/account")
    const methods = (await site.auth.factors.list(site.userId)).map(({ method }) => method)
    expect(methods).toEqual(["totp", "totp", "recovery-codes"])
  })

  test("adds none without the proof, or with one from before", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const own = await openSetupPage(browser, stepUpPath)
    const { secret } = await site.enrol()
    await submitSetup(browser, own.setup, await showCode(own.secret), addPath)
    expect(await site.auth.factors.list(site.userId)).toHaveLength(2)
    await submitFactor(browser, await showCode(secret), "totp", { isStepUp: true })
    vi.setSystemTime(Date.now() + 601_000)
    const page = await (await browser.open(addPath)).text()
    expect(page).toContain("Enter the code that your authenticator app shows.")
    await submitSetup(browser, own.setup, await showCode(own.secret), addPath)
    expect(await site.auth.factors.list(site.userId)).toHaveLength(2)
  })
})
