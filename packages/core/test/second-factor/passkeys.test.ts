/** Passkeys as second factors after another sign-in, and in a session. */
import finalPasskey from "@latchkey/core/passkeys"
import { passkeys, recoveryCodes, totp } from "@latchkey/core/second-factor"
import type { TestBrowser, VirtualAuthenticator } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  justNow,
  readSession,
  readSessionInfo,
  showCode,
  stepUpPath,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { PasskeyBrowser } from "../support/passkey-app.ts"

stopClock()

const methods = [passkeys(), totp(), recoveryCodes()]
const accept = { passkey: true } as const

/** Creates a site whose user has a passkey. */
async function createPasskeySite(changes: Parameters<typeof createFactorSite>[0] = {}) {
  const site = await createFactorSite({ secondFactor: { methods, accept }, ...changes })
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const { device } = await addPasskey(browser)
  return { site, browser, device }
}

async function addPasskey(browser: TestBrowser): Promise<PasskeyBrowser> {
  const person = new PasskeyBrowser(browser)
  await person.runCeremony({ action: "register" })
  return person
}

interface ProofOptions {
  readonly isStepUp?: boolean
  readonly fields?: Record<string, string>
}

/** Does what the script of the page does. Returns what it sent, and the response. */
async function provePasskey(
  browser: TestBrowser,
  device: VirtualAuthenticator,
  { isStepUp = false, fields = {} }: ProofOptions = {},
) {
  const person = new PasskeyBrowser(browser, device)
  const stepUp = isStepUp ? { "step-up": "true" } : {}
  const query = { "second-factor": "true", action: "authenticate", ...stepUp }
  const options = await person.requestOptions(query)
  const data = JSON.stringify(await person.createResponse(options))
  const path = `${isStepUp ? `${stepUpPath}&` : `${factorPath}?`}method=passkey`
  const csrfToken = await browser.getCsrfToken()
  const form = { csrfToken, action: "authenticate", data, ...fields }
  return { form, path, options, response: await browser.post(path, form) }
}

async function openPendingBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider, { callbackUrl: "/inbox" })
  return browser
}

describe.each(["jwt", "database"] as const)("a user with a passkey (%s)", (strategy) => {
  test("is asked for it after another sign-in, which goes on with it", async () => {
    const accounts: unknown[] = []
    const { site, device } = await createPasskeySite({
      session: { strategy },
      events: { signIn: ({ account }) => void accounts.push(account?.provider) },
    })
    const browser = await openPendingBrowser(site)
    expect(await browser.getSession()).toBeNull()
    const page = await (await browser.open(factorPath)).text()
    expect(page).toContain("Use a passkey")
    expect(page).toContain("webauthn-options/passkey?second-factor=true")
    const { response, options } = await provePasskey(browser, device)
    expect(options.options?.allowCredentials).toHaveLength(1)
    expect(response.headers.get("location")).toBe("https://app.example/inbox")
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 2 })
    expect(accounts.at(-1)).toBe(site.provider.id)
  })

  test("proves it again in a session, which stays the same", async () => {
    const { site, browser, device } = await createPasskeySite({ session: { strategy } })
    const before = await readSessionInfo(site, browser)
    const fields = { callbackUrl: "/payroll" }
    const { response } = await provePasskey(browser, device, { isStepUp: true, fields })
    expect(response.headers.get("location")).toBe("https://app.example/payroll")
    const after = await readSessionInfo(site, browser)
    expect([before?.level, after?.level]).toEqual([1, 2])
    expect([after?.id, after?.createdAt]).toEqual([before?.id, before?.createdAt])
  })
})

describe("a passkey", () => {
  test("is not added by a session with one factor to a user who has a second one", async () => {
    const site = await createFactorSite({ secondFactor: { methods, accept } })
    const early = site.openBrowser()
    await early.signIn(site.provider)
    const { secret } = await site.enrol()
    const { device } = await addPasskey(early)
    const thief = new PasskeyBrowser(site.openBrowser(), device)
    await thief.signIn().catch(() => {})
    expect(await thief.browser.getSession()).toBeNull()
    expect(await site.auth.accounts.list(site.userId)).toHaveLength(1)
    await submitFactor(early, await showCode(secret), "totp", { isStepUp: true })
    await addPasskey(early)
    expect(await site.auth.accounts.list(site.userId)).toHaveLength(2)
  })

  test("that signs in by itself counts as two factors", async () => {
    const { site, device } = await createPasskeySite()
    const other = new PasskeyBrowser(site.openBrowser(), device)
    await other.signIn()
    expect(await readSessionInfo(site, other.browser)).toMatchObject({ level: 2 })
  })

  test("of another user is no factor", async () => {
    const { site } = await createPasskeySite()
    const stranger = site.openBrowser()
    site.provider.setUser({ sub: "bob", name: "Bob", email: "bob@example.com" })
    await stranger.signIn(site.provider)
    const { device } = await addPasskey(stranger)
    site.provider.setUser({
      sub: "ada",
      name: "Ada",
      email: "ada@example.com",
      email_verified: true,
    })
    const browser = await openPendingBrowser(site)
    const own = new PasskeyBrowser(browser, device)
    // With the options of a sign-in, which ask for any passkey.
    const options = await own.requestOptions({ action: "authenticate" })
    const data = JSON.stringify(await own.createResponse(options))
    const csrfToken = await browser.getCsrfToken()
    await browser.post(`${factorPath}?method=passkey`, { csrfToken, action: "authenticate", data })
    expect(await browser.getSession()).toBeNull()
    expect(site.log.errorCodes).toEqual([])
  })

  test("answers once, and only to an authentication", async () => {
    const { site, device } = await createPasskeySite()
    const browser = await openPendingBrowser(site)
    const { form, path } = await provePasskey(browser, device)
    expect(await browser.getSession()).not.toBeNull()
    const other = await openPendingBrowser(site)
    const csrfToken = await other.getCsrfToken()
    const again = await other.post(path, { ...form, csrfToken })
    expect(again.headers.get("location")).toContain("error=incorrect")
    const page = await (await other.open(again.headers.get("location") ?? "")).text()
    expect(page).toContain("Your passkey could not be verified")
    for (const action of ["register", ""])
      await other.post(path, { ...form, csrfToken: await other.getCsrfToken(), action })
    expect(await other.getSession()).toBeNull()
  })

  test("has options only for a sign-in that waits, or a session", async () => {
    const { site } = await createPasskeySite()
    const person = new PasskeyBrowser(site.openBrowser())
    for (const stepUp of [{}, { "step-up": "true" }]) {
      const query = { "second-factor": "true", action: "authenticate", ...stepUp }
      expect(await person.requestOptions(query)).toMatchObject({ status: 400 })
    }
    const pending = new PasskeyBrowser(await openPendingBrowser(site))
    const register = { "second-factor": "true", action: "register" }
    expect(await pending.requestOptions(register)).toMatchObject({ status: 400 })
  })

  test("can trust the device, until it is removed", async () => {
    const trustDevice = { maxAge: 3600 }
    const { site, device } = await createPasskeySite({
      secondFactor: { methods, accept, trustDevice },
    })
    const browser = await openPendingBrowser(site)
    await provePasskey(browser, device, { fields: { trustDevice: "true" } })
    await browser.signOut()
    await browser.signIn(site.provider)
    expect(await browser.getSession()).not.toBeNull()
    await browser.signOut()
    const [account] = (await site.auth.accounts.list(site.userId)).filter(
      ({ type }) => type === "webauthn",
    )
    if (!account) throw new Error("There is no passkey.")
    await site.enrol()
    await site.auth.accounts.unlink({ userId: site.userId, session: justNow(), ...account })
    await browser.signIn(site.provider)
    expect(await browser.getSession()).toBeNull()
  })

  test("makes the page offer the app, too, and is not removed as a factor", async () => {
    const { site } = await createPasskeySite()
    const { secret, factor } = await site.enrol()
    const browser = await openPendingBrowser(site)
    expect(await (await browser.open(factorPath)).text()).toContain("method=totp")
    await submitFactor(browser, await showCode(secret))
    expect(await browser.getSession()).not.toBeNull()
    const input = { userId: site.userId, session: justNow() }
    expect(await site.auth.factors.remove({ ...input, id: factor.id })).toBe(true)
    const infos = await site.auth.factors.list(site.userId)
    expect(infos.map(({ method }) => method)).toEqual(["recovery-codes"])
    const stored = await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)
    const id = stored?.[0]?.credentialID ?? ""
    expect(await site.auth.factors.remove({ ...input, id })).toBe(false)
  })

  test("is no factor without the method", async () => {
    const { site } = await createPasskeySite({
      secondFactor: { methods: [totp(), recoveryCodes()], accept },
    })
    const browser = await openPendingBrowser(site)
    expect(await readSessionInfo(site, browser)).toMatchObject({ level: 1 })
  })
})

test.each([
  ["that is not accepted", { methods }],
  ["that is not configured", { methods, accept: { github: true } }],
] as const)("a passkey provider %s is an error of the configuration", async (_, secondFactor) => {
  const site = await createFactorSite({ secondFactor })
  await site.openBrowser().open("/auth/session")
  expect(site.log.errorCodes).toContain("InvalidOption")
})

describe("adding a passkey that counts as two factors", () => {
  test("needs an authentication of the last ten minutes", async () => {
    const site = await createFactorSite({ secondFactor: { methods, accept } })
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    vi.setSystemTime(Date.now() + 660_000)
    await addPasskey(browser)
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toEqual([])
    await browser.signIn(site.provider)
    await addPasskey(browser)
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toHaveLength(1)
  })

  test("is preceded by that on the built-in page: a sign-in, or the factor", async () => {
    const site = await createFactorSite({ secondFactor: { methods, accept } })
    const [oidc, passwords, email] = site.config.providers
    Object.assign(site.config, { providers: [oidc, passwords, email, finalPasskey()] })
    const path = "/auth/signin/passkey?callbackUrl=/account"
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    expect((await browser.fetch(path)).status).toBe(200)
    vi.setSystemTime(Date.now() + 660_000)
    const stale = (await browser.fetch(path)).headers.get("location")
    expect(stale).toMatch(/\/auth\/signin\?(?=.*prompt=login)(?=.*callbackUrl=.*signin%2Fpasskey)/)
    const { secret } = await site.enrol()
    const guarded = (await browser.fetch(path)).headers.get("location") ?? ""
    expect(guarded).toContain("/auth/signin/second-factor?step-up=true&callbackUrl=")
    const page = await (await browser.open(guarded)).text()
    const [, callbackUrl = ""] = /name="callbackUrl" value="([^"]+)"/.exec(page) ?? []
    const fields = { isStepUp: true, callbackUrl: callbackUrl.replaceAll("&amp;", "&") }
    const proven = await submitFactor(browser, await showCode(secret, 1), "totp", fields)
    expect(proven.headers.get("location")).toContain("/auth/signin/passkey?callbackUrl=")
    expect((await browser.open(proven.headers.get("location") ?? "")).status).toBe(200)
    await addPasskey(browser)
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toHaveLength(1)
  })
})

describe("removing a passkey that is a second factor", () => {
  const createWithRequire = async (require: () => boolean) => {
    const site = await createPasskeySite({ secondFactor: { methods, accept, require } })
    const { adapter } = site.site.config
    const [record] = (await adapter?.listAuthenticatorsByUserId?.(site.site.userId)) ?? []
    const key = { provider: "passkey", providerAccountId: record?.providerAccountId ?? "" }
    return { ...site, key: { userId: site.site.userId, ...key } }
  }

  test("needs a session in which it was proven", async () => {
    const { site, device, key } = await createWithRequire(() => false)
    const early = site.openBrowser()
    await early.signIn(site.provider)
    await provePasskey(early, device)
    const late = await readSession(site, early)
    await site.auth.accounts.unlink({ ...key, session: late ?? {} })
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toEqual([])
  })

  test("is refused to a session with one factor", async () => {
    const { site, browser, key } = await createWithRequire(() => false)
    // From before the passkey.
    const session = (await readSession(site, browser)) ?? {}
    const unlinked = site.auth.accounts.unlink({ ...key, session })
    await expect(unlinked).rejects.toMatchObject({ type: "SessionNotFresh" })
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toHaveLength(1)
  })

  test("is refused if the user must have one, and has no other", async () => {
    let isRequired = false
    const { site, key } = await createWithRequire(() => isRequired)
    isRequired = true
    const unlinked = site.auth.accounts.unlink({ ...key, session: justNow() })
    await expect(unlinked).rejects.toMatchObject({ type: "LastFactor" })
    await site.enrol()
    await site.auth.accounts.unlink({ ...key, session: justNow() })
    expect(await site.config.adapter?.listAuthenticatorsByUserId?.(site.userId)).toEqual([])
  })
})
