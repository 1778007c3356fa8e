/** Attacks on a sign-in that waits for its second factor. */
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  justNow,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { PasskeyBrowser } from "../support/passkey-app.ts"

stopClock()

const strategies = ["jwt", "database"] as const

/** Opens a browser whose sign-in waits for the second factor. */
async function openPendingBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  return browser
}

const copyBrowser = (site: FactorSite, { cookies }: TestBrowser): TestBrowser => {
  const copy = site.openBrowser()
  for (const { name, value } of cookies)
    copy.cookies.setUnchecked(copy.origin, `${name}=${value}; Path=/; Secure`)
  return copy
}

const cookieHeader = ({ cookies }: TestBrowser) =>
  new Headers({ cookie: [...cookies].map(({ name, value }) => `${name}=${value}`).join("; ") })

describe.each(strategies)("a sign-in that waits is no session (%s):", (strategy) => {
  test("no action and no function for server code takes it for one", async () => {
    const site = await createFactorSite({ session: { strategy, records: false } })
    await site.enrol()
    const browser = await openPendingBrowser(site)
    const request = { headers: cookieHeader(browser), url: "https://app.example/" }
    expect(await browser.getSession()).toBeNull()
    expect((await site.auth.getSession(request)).session).toBeNull()
    expect((await site.auth.updateSession(request, { admin: true })).session).toBeNull()
    await expect(site.auth.getAccessToken(request, site.provider.id)).rejects.toMatchObject({
      type: "AccessTokenError",
    })
    expect(await (await browser.updateSession({ admin: true })).json()).toBeNull()
    const signInPage = await browser.open("/auth/signin")
    expect(await signInPage.text()).not.toContain("Signed in as")
    expect((await browser.open("/auth/signout")).status).toBe(302)
  })

  test("it can neither add an account nor a passkey (miniOrange 111949)", async () => {
    const site = await createFactorSite({ session: { strategy } })
    await site.enrol()
    const browser = await openPendingBrowser(site)
    const person = new PasskeyBrowser(browser)
    const options = await person.requestOptions({ action: "register" })
    // Without a session, these are the options for a new user, who has to say who they are.
    expect(options.options).toBeUndefined()
    const csrfToken = await browser.getCsrfToken()
    const linking = await browser.post(`/auth/signin/${site.provider.id}`, {
      csrfToken,
      link: "true",
    })
    expect(linking.headers.get("location")).toContain("error=OAuthAccountNotLinked")
    expect(await site.auth.accounts.list(site.userId)).toHaveLength(1)
  })
})

describe("a code", () => {
  test("is accepted once: of 64 parallel requests, one is signed in", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const first = await openPendingBrowser(site)
    const browsers = await Promise.all(
      Array.from({ length: 64 }, async (_, at) => (at === 0 ? first : openPendingBrowser(site))),
    )
    const limits = { "second-factor": false } as const
    Object.assign(site.config, { attemptLimits: limits })
    const code = await showCode(secret)
    await Promise.all(browsers.map((browser) => submitFactor(browser, code)))
    const sessions = await Promise.all(browsers.map((browser) => browser.getSession()))
    expect(sessions.filter(Boolean)).toHaveLength(1)
  })

  test("of a step before the last accepted one is refused", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    await submitFactor(await openPendingBrowser(site), await showCode(secret, 1))
    const browser = await openPendingBrowser(site)
    for (const offset of [-1, 0, 1]) await submitFactor(browser, await showCode(secret, offset))
    expect(await browser.getSession()).toBeNull()
  })

  test.each([-2, 2])("of a step too far away is refused (%i)", async (offset) => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = await openPendingBrowser(site)
    await submitFactor(browser, await showCode(secret, offset))
    expect(await browser.getSession()).toBeNull()
  })

  test("with which an app was added cannot be used to sign in", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = await openPendingBrowser(site)
    await submitFactor(browser, await showCode(secret, -1))
    expect(await browser.getSession()).toBeNull()
  })

  test("of another user is refused", async () => {
    const site = await createFactorSite()
    await site.enrol()
    const other = await createFactorSite()
    const { secret } = await other.enrol()
    const browser = await openPendingBrowser(site)
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).toBeNull()
  })

  test("does not count without the first factor (phpMyFAQ 56737)", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = site.openBrowser()
    const response = await submitFactor(browser, await showCode(secret))
    expect(response.headers.get("location")).toBe("https://app.example/auth/signin")
    expect(await browser.getSession()).toBeNull()
  })

  test("is not compared without the CSRF token, or for another method", async () => {
    const site = await createFactorSite()
    const { secret } = await site.enrol()
    const browser = await openPendingBrowser(site)
    const code = await showCode(secret)
    await browser.post(factorPath, { method: "totp", code }, { from: "https://evil.example" })
    for (const method of ["recovery-codes", "constructor", ""])
      await submitFactor(browser, code, method)
    expect(await browser.getSession()).toBeNull()
    await submitFactor(browser, code)
    expect(await browser.getSession()).not.toBeNull()
  })
})

describe("guessing codes", () => {
  test("stops for the user, with however many sign-ins and methods", async () => {
    const limit = { max: 3, window: 600 }
    const site = await createFactorSite({
      attemptLimits: { "second-factor": { identifier: limit } },
    })
    const { secret } = await site.enrol()
    for (const method of ["totp", "recovery-codes", "totp"])
      await submitFactor(await openPendingBrowser(site), "000000", method)
    const browser = await openPendingBrowser(site)
    const response = await submitFactor(browser, await showCode(secret))
    expect(response.headers.get("location")).toContain("error=TooManyRequests")
    expect(await browser.getSession()).toBeNull()
  })

  test("does not lock the owner's own browser out", async () => {
    const limit = { max: 3, window: 600 }
    const site = await createFactorSite({
      attemptLimits: { "second-factor": { identifier: limit } },
    })
    const { secret } = await site.enrol()
    const owner = await openPendingBrowser(site)
    await submitFactor(owner, await showCode(secret))
    await owner.signOut()
    for (let count = 0; count < 5; count += 1)
      await submitFactor(await openPendingBrowser(site), "000000")
    await owner.signIn(site.provider)
    await submitFactor(owner, await showCode(secret, 1))
    expect(await owner.getSession()).not.toBeNull()
  })
})

describe.each(strategies)("a sign-in that waits (%s)", (strategy) => {
  test("begins one session, also if two recovery codes arrive at once", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { recoveryCodes: [first = "", second = ""] = [] } = await site.enrol()
    const browser = await openPendingBrowser(site)
    const copy = copyBrowser(site, browser)
    const csrfToken = await browser.getCsrfToken()
    const fields = { csrfToken, method: "recovery-codes" }
    await Promise.all([
      browser.post(factorPath, { ...fields, code: first }),
      copyBrowser(site, browser).post(factorPath, { ...fields, code: second }),
    ])
    await submitFactor(copy, second, "recovery-codes")
    const sessions = [await browser.getSession(), await copy.getSession()]
    expect(sessions.filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test("ends with a sign-out, wherever its cookie is", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { secret } = await site.enrol()
    const browser = await openPendingBrowser(site)
    const copy = copyBrowser(site, browser)
    await browser.signOut()
    expect(browser.cookies.names).not.toContain("__Host-latchkey.pending-sign-in")
    await submitFactor(copy, await showCode(secret))
    expect(await copy.getSession()).toBeNull()
  })

  test("ends when its user is deleted", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { secret } = await site.enrol()
    const browser = await openPendingBrowser(site)
    await site.auth.users.delete(site.userId)
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).toBeNull()
  })

  test("ends after 15 minutes", async () => {
    const site = await createFactorSite({ session: { strategy } })
    const { secret } = await site.enrol()
    const browser = site.openBrowser({ now: () => 0 })
    await browser.signIn(site.provider)
    vi.setSystemTime(Date.now() + 901_000)
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).toBeNull()
  })

  test.each([
    "listFactors",
    "updateFactor",
    "createVerificationToken",
    "useVerificationToken",
  ] as const)("signs nobody in if the database fails (%s)", async (method) => {
    const site = await createFactorSite({ session: { strategy } })
    const { secret } = await site.enrol()
    const { adapter } = site.config
    const browser = site.openBrowser()
    const fail = () => Promise.reject(new Error("the database is gone"))
    const isLate = method === "updateFactor" || method === "useVerificationToken"
    if (isLate) await browser.signIn(site.provider)
    Object.assign(site.config, { adapter: { ...adapter, [method]: fail } })
    if (isLate) await submitFactor(browser, await showCode(secret))
    else await browser.signIn(site.provider)
    expect(await browser.getSession()).toBeNull()
    expect(site.log.errorCodes).toContain("AdapterError")
  })
})

test("a sign-in that waits cannot be used by another configuration's secret", async () => {
  const site = await createFactorSite()
  const { secret } = await site.enrol()
  const browser = await openPendingBrowser(site)
  Object.assign(site.config, { secret: "another secret of the same application" })
  await submitFactor(browser, await showCode(secret))
  expect(await browser.getSession()).toBeNull()
})

test("somebody who can write to the database cannot give their own factor to another user", async () => {
  const site = await createFactorSite()
  await site.enrol()
  const input = { userId: "mallory", session: justNow() }
  const { secret, setup } = await site.auth.factors.startTotp(input)
  await site.auth.factors.confirmTotp({ ...input, setup, code: await showCode(secret, -1) })
  const findApp = async (userId: string) => {
    const factors = (await site.config.adapter?.listFactors?.(userId)) ?? []
    return factors.find(({ method }) => method === "totp")
  }
  const [own, stolen] = [await findApp("mallory"), await findApp(site.userId)]
  if (!own || !stolen) throw new Error("There are no factors.")
  const { id, version } = stolen
  await site.config.adapter?.updateFactor?.({ id, version, data: own.data })
  const browser = await openPendingBrowser(site)
  await submitFactor(browser, await showCode(secret))
  expect(await browser.getSession()).toBeNull()
  expect(JSON.stringify(site.log.lines.map(String))).toContain("A second factor cannot be opened.")
})
