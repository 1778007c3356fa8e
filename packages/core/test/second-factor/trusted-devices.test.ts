/** Devices on which a user is not asked for the factor again. */
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
  justNow,
  password,
  readSessionInfo,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"

stopClock()

const day = 24 * 3600
const box = 'name="trustDevice"'

/** Signs in on a device that is trusted from then on, and out again. */
async function createTrustedBrowser(changes: Parameters<typeof createFactorSite>[0] = {}) {
  const site = await createFactorSite({ trustDevice: { maxAge: 30 * day }, ...changes })
  const enrolment = await site.enrol()
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  const code = await showCode(enrolment.secret)
  await submitFactor(browser, code, "totp", { trustDevice: "true" })
  await browser.signOut()
  return { site, browser, ...enrolment }
}

async function isAsked(site: FactorSite, browser: TestBrowser): Promise<boolean> {
  await browser.signIn(site.provider)
  return (await browser.getSession()) === null
}

describe.each(["jwt", "database"] as const)("a trusted device (%s)", (strategy) => {
  test("signs its user in with the first factor, at the level and time of the second", async () => {
    const { site, browser } = await createTrustedBrowser({ session: { strategy } })
    const provenAt = Date.now()
    vi.setSystemTime(provenAt + 3 * day * 1000)
    expect(await isAsked(site, browser)).toBe(false)
    const info = await readSessionInfo(site, browser)
    expect(info?.level).toBe(2)
    expect(info?.factorTime?.getTime()).toBe(provenAt)
    expect(await isAsked(site, site.openBrowser())).toBe(true)
  })
})

describe("a device", () => {
  test("is trusted only if the application offers it, and the person wants it", async () => {
    const without = await createFactorSite()
    const { secret } = await without.enrol()
    const browser = without.openBrowser()
    await browser.signIn(without.provider)
    expect(await (await browser.open(factorPath)).text()).not.toContain(box)
    await submitFactor(browser, await showCode(secret), "totp", { trustDevice: "true" })
    await browser.signOut()
    expect(await isAsked(without, browser)).toBe(true)

    const site = await createFactorSite({ trustDevice: { maxAge: day } })
    const { secret: other } = await site.enrol()
    const person = site.openBrowser()
    await person.signIn(site.provider)
    expect(await (await person.open(factorPath)).text()).toContain(box)
    await submitFactor(person, await showCode(other))
    await person.signOut()
    expect(await isAsked(site, person)).toBe(true)
  })

  test("is not trusted after a recovery code, or longer than agreed", async () => {
    const { site, browser, recoveryCodes = [] } = await createTrustedBrowser()
    const other = site.openBrowser()
    await other.signIn(site.provider)
    const page = await (await other.open(`${factorPath}?method=recovery-codes`)).text()
    expect(page).not.toContain(box)
    await submitFactor(other, recoveryCodes[0] ?? "", "recovery-codes", { trustDevice: "true" })
    await other.signOut()
    expect(await isAsked(site, other)).toBe(true)
    const cookies = [...browser.cookies]
    vi.setSystemTime(Date.now() + 30 * day * 1000 + 1000)
    for (const { name, value } of cookies)
      browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)
    expect(await isAsked(site, browser)).toBe(true)
  })

  test("can be listed and revoked", async () => {
    const { site, browser } = await createTrustedBrowser()
    const { factors } = site.auth
    const infos = await factors.list(site.userId)
    expect(infos.map(({ method }) => method)).toEqual(["totp", "recovery-codes", "trusted-device"])
    const device = infos.at(-1)
    expect(device?.expires?.getTime()).toBe(Date.now() + 30 * day * 1000)
    const input = { userId: site.userId, session: justNow() }
    expect(await factors.remove({ ...input, id: device?.id ?? "" })).toBe(true)
    expect(await isAsked(site, browser)).toBe(true)
  })

  test("is not trusted any more once the app is replaced", async () => {
    const { site, browser, factor } = await createTrustedBrowser()
    await site.enrol()
    const { factors } = site.auth
    await factors.remove({ userId: site.userId, session: justNow(), id: factor.id })
    const methods = (await factors.list(site.userId)).map(({ method }) => method)
    expect(methods).toEqual(["totp", "recovery-codes"])
    expect(await isAsked(site, browser)).toBe(true)
  })

  test("is not trusted any more once the option is gone, and removed with everything", async () => {
    const { site, browser } = await createTrustedBrowser()
    const { methods } = site.config.secondFactor ?? { methods: [] }
    const { trustDevice: _, ...option } = site.config.secondFactor ?? { methods }
    Object.assign(site.config, { secondFactor: option })
    expect(await isAsked(site, browser)).toBe(true)
    Object.assign(site.config, { secondFactor: { methods, trustDevice: { maxAge: day } } })
    expect(await site.auth.factors.removeAll(site.userId)).toBe(3)
  })

  test("is trusted for its user alone", async () => {
    const { site, browser } = await createTrustedBrowser()
    const { adapter } = site.config
    const id = crypto.randomUUID()
    const bob = await adapter?.createUser?.({
      id,
      name: "Bob",
      email: "bob@example.com",
      emailVerified: new Date(),
    })
    if (!bob) throw new Error("There is no database.")
    const input = { userId: bob.id, session: justNow() }
    const { secret, setup } = await site.auth.factors.startTotp(input)
    await site.auth.factors.confirmTotp({ ...input, setup, code: await showCode(secret) })
    const first = { email: "bob@example.com", word: password.word }
    await browser.signIn("credentials", first)
    expect(await browser.getSession()).toBeNull()

    // Also if that other user trusts a device.
    const other = site.openBrowser()
    await other.signIn("credentials", first)
    await submitFactor(other, await showCode(secret, 1), "totp", { trustDevice: "true" })
    expect(await other.getSession()).not.toBeNull()
    await browser.signIn("credentials", first)
    expect(await browser.getSession()).toBeNull()
  })

  test("is forgotten when there are too many", async () => {
    const { site, browser, secret } = await createTrustedBrowser()
    for (let count = 1; count <= 10; count += 1) {
      vi.setSystemTime(Date.now() + 30_000)
      const other = site.openBrowser()
      await other.signIn(site.provider)
      await submitFactor(other, await showCode(secret), "totp", { trustDevice: "true" })
    }
    const infos = await site.auth.factors.list(site.userId)
    expect(infos.filter(({ method }) => method === "trusted-device")).toHaveLength(10)
    expect(await isAsked(site, browser)).toBe(true)
  })
})

test.each([0, 31 * day, 1.5, Number.NaN])("a device cannot be trusted for %s s", async (maxAge) => {
  const site = await createFactorSite({ trustDevice: { maxAge } })
  await site.openBrowser().open("/auth/session")
  expect(site.log.errorCodes).toContain("InvalidOption")
})
