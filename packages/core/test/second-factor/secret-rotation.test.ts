/** Second factors while the secret of the application is replaced. */
import { createAuth } from "@latchkey/core"
import type { AdapterFactor } from "@latchkey/core/adapters"
import type { TestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  justNow,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"

stopClock()

const nextSecret = "the next secret of the application, long enough"

/** Signs in with the first factor. */
async function openPendingBrowser(site: FactorSite): Promise<TestBrowser> {
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  return browser
}

const useSecrets = (site: FactorSite, ...secret: readonly string[]) =>
  void Object.assign(site.config, { secret })

const readFactors = async ({ config, userId }: FactorSite): Promise<AdapterFactor[]> =>
  (await config.adapter?.listFactors?.(userId)) ?? []

/** Returns the part of encrypted data that names the secret. */
const getKeyHeader = ({ data }: AdapterFactor) => data.split(".")[0]

test("an app is encrypted with the new secret at the next sign-in", async () => {
  const site = await createFactorSite()
  const { secret } = await site.enrol()
  useSecrets(site, nextSecret, String(site.config.secret))
  await submitFactor(await openPendingBrowser(site), await showCode(secret))
  useSecrets(site, nextSecret)
  const browser = await openPendingBrowser(site)
  await submitFactor(browser, await showCode(secret, 1))
  expect(await browser.getSession()).not.toBeNull()
})

test("so are recovery codes, which may not be used for years", async () => {
  const site = await createFactorSite()
  const { recoveryCodes: [code = ""] = [] } = await site.enrol()
  useSecrets(site, nextSecret, String(site.config.secret))
  await openPendingBrowser(site)
  useSecrets(site, nextSecret)
  const browser = await openPendingBrowser(site)
  await submitFactor(browser, code, "recovery-codes")
  expect(await browser.getSession()).not.toBeNull()
})

test("so are the factors of somebody whose sign-in counts as two factors", async () => {
  const site = await createFactorSite()
  Object.assign(site.config.secondFactor ?? {}, { accept: { [site.provider.id]: { acr: ["2"] } } })
  await site.enrol()
  site.provider.setUser({ sub: "ada", email: "ada@example.com", email_verified: true, acr: "2" })
  const before = await readFactors(site)
  useSecrets(site, nextSecret, String(site.config.secret))
  const browser = await openPendingBrowser(site)
  expect(await browser.getSession()).not.toBeNull()
  const after = await readFactors(site)
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  for (const [index, factor] of after.entries())
    expect(getKeyHeader(factor)).not.toBe(before[index] && getKeyHeader(before[index]))
})

test("a factor whose secret is gone stays as it is, and support can remove it", async () => {
  const site = await createFactorSite()
  await site.enrol()
  const [lost, kept] = await readFactors(site)
  const data = "e30..AA.AA.AA"
  await site.config.adapter?.updateFactor?.({ id: String(lost?.id), version: 0, data })
  useSecrets(site, nextSecret, String(site.config.secret))
  await openPendingBrowser(site)
  const [stillLost, renewed] = await readFactors(site)
  expect(stillLost?.data).toBe(data)
  expect(renewed && getKeyHeader(renewed)).not.toBe(kept && getKeyHeader(kept))
  expect(site.log.errorCodes).toContain("AuthError")
  useSecrets(site, nextSecret)
  expect(await site.auth.factors.removeAll(site.userId)).toBe(2)
})

test("server code encrypts the factors of users who do not sign in, and learns which it cannot", async () => {
  const site = await createFactorSite()
  const { secret, recoveryCodes: [code = ""] = [] } = await site.enrol()
  const renewWith = (...secrets: string[]) =>
    createAuth({ ...site.config, secret: secrets }).factors.renewEncryption(site.userId)
  expect(await renewWith(nextSecret)).toBe(false)
  expect(await renewWith(nextSecret, String(site.config.secret))).toBe(true)
  expect(await renewWith(nextSecret)).toBe(true)
  useSecrets(site, nextSecret)
  const browser = await openPendingBrowser(site)
  await submitFactor(browser, await showCode(secret))
  expect(await browser.getSession()).not.toBeNull()
  const other = await openPendingBrowser(site)
  await submitFactor(other, code, "recovery-codes")
  expect(await other.getSession()).not.toBeNull()
})

test("factors whose secret is gone do not stop newer ones, and are listed without details", async () => {
  const site = await createFactorSite({ trustDevice: { maxAge: 3600 } })
  const old = await site.enrol()
  const trusted = { trustDevice: "true" }
  await submitFactor(await openPendingBrowser(site), await showCode(old.secret), "totp", trusted)
  useSecrets(site, nextSecret)
  Object.assign(site, { auth: createAuth(site.config) })
  const unreadable = await site.auth.factors.list(site.userId)
  const methods = ["totp", "recovery-codes", "trusted-device"]
  expect(unreadable.map((each) => each.method)).toEqual(methods)
  for (const each of unreadable) expect(Object.keys(each)).toEqual(["id", "method", "createdAt"])
  const input = { userId: site.userId, session: justNow() }
  const { secret, setup } = await site.auth.factors.startTotp(input)
  await site.auth.factors.confirmTotp({ ...input, setup, code: await showCode(secret, -1) })
  const browser = await openPendingBrowser(site)
  const wrong = await submitFactor(browser, await showCode(old.secret, 1))
  expect(wrong.headers.get("location")).toContain("error=Configuration")
  await submitFactor(browser, await showCode(secret), "totp", trusted)
  expect(await browser.getSession()).not.toBeNull()
  expect((await site.auth.factors.list(site.userId)).map((each) => each.method)).toEqual([
    "totp",
    ...methods,
  ])
})
