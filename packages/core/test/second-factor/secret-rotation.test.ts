/** Second factors while the secret of the application is replaced. */
import { createAuth } from "@latchkey/core"
import type { AdapterFactor } from "@latchkey/core/adapters"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { emailCodes, totp } from "@latchkey/core/second-factor"
import { createMailbox, type TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  createFactorSite,
  type FactorSite,
  factorPath,
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

/** Returns a site whose user has factors that the new secret cannot open, and whose configuration has the new one. */
async function loseSecret(changes: Parameters<typeof createFactorSite>[0] = {}) {
  const site = await createFactorSite(changes)
  const lost = await site.enrol()
  const browser = await openPendingBrowser(site)
  await submitFactor(browser, await showCode(lost.secret), "totp", { trustDevice: "true" })
  useSecrets(site, nextSecret)
  return { site: { ...site, auth: createAuth(site.config) }, lost }
}

/** Adds an app as server code does. */
async function addApp({ auth, userId }: FactorSite) {
  const input = { userId, session: justNow() }
  const { secret, setup } = await auth.factors.startTotp(input)
  const added = await auth.factors.confirmTotp({
    ...input,
    setup,
    code: await showCode(secret, -1),
  })
  return { ...added, secret }
}

describe("factors whose secret is gone", () => {
  const trustDevice = { maxAge: 3600 }

  test("are listed without details", async () => {
    const { site } = await loseSecret({ trustDevice })
    const factors = await site.auth.factors.list(site.userId)
    const methods = ["totp", "recovery-codes", "trusted-device"]
    expect(factors.map(({ method }) => method)).toEqual(methods)
    for (const factor of factors) expect(Object.keys(factor)).toEqual(["id", "method", "createdAt"])
  })

  test("do not stop newer ones, which come with recovery codes", async () => {
    const refused: unknown[] = []
    const security = ({ type }: { type: string }) => {
      if (type === "factor-refused") refused.push(type)
    }
    const { site, lost } = await loseSecret({ trustDevice, events: { security } })
    const app = await addApp(site)
    const browser = await openPendingBrowser(site)
    const response = await submitFactor(browser, await showCode(lost.secret, 1))
    expect(response.headers.get("location")).toContain("error=incorrect")
    expect(refused).toHaveLength(1)
    await submitFactor(browser, await showCode(app.secret), "totp", { trustDevice: "true" })
    expect(await browser.getSession()).not.toBeNull()
    const other = await openPendingBrowser(site)
    await submitFactor(other, app.recoveryCodes?.[0] ?? "", "recovery-codes")
    expect(await other.getSession()).not.toBeNull()
    const methods = (await site.auth.factors.list(site.userId)).map(({ method }) => method)
    expect(methods.filter((method) => method === "trusted-device")).toHaveLength(1)
  })

  test("do not stop the page on which people choose another one", async () => {
    const inbox = await createMailbox()
    onTestFinished(() => inbox.close())
    const mailer = nodemailer({ server: inbox.server, from: "hello@app.example" })
    const methods = [emailCodes(), totp()]
    const site = await createFactorSite({ secondFactor: { methods }, mailer })
    const input = { userId: site.userId, session: justNow() }
    const { setup } = await site.auth.factors.startEmailCodes(input)
    await site.auth.factors.confirmEmailCodes({ ...input, setup, code: inbox.code() })
    useSecrets(site, nextSecret)
    const app = await addApp({ ...site, auth: createAuth(site.config) })
    const browser = await openPendingBrowser(site)
    const page = await browser.open(factorPath)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain("method=totp")
    await submitFactor(browser, await showCode(app.secret))
    expect(await browser.getSession()).not.toBeNull()
  })
})

test("names of passkeys are encrypted anew without the option for second factors", async () => {
  const site = await createFactorSite()
  await site.enrol() // stands for such a name, which has the same encryption
  const before = await readFactors(site)
  const { secondFactor: _, ...config } = site.config
  const auth = createAuth({ ...config, secret: [nextSecret, String(site.config.secret)] })
  expect(await auth.factors.renewEncryption(site.userId)).toBe(true)
  const headers = new Set((await readFactors(site)).map(getKeyHeader))
  for (const factor of before) expect(headers).not.toContain(getKeyHeader(factor))
})
