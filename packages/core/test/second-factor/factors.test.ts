/** `auth.factors`: adding, listing and removing second factors. */
import type { AuthConfig, FactorInfo } from "@latchkey/core"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import { describe, expect, test } from "vitest"
import { decodeBase32, encodeBase32 } from "../../src/flows/second-factor/base32.ts"
import { computeCode } from "../../src/flows/second-factor/hotp.ts"
import {
  createFactorSite,
  justNow,
  showCode,
  stopClock,
  submitFactor,
} from "../support/factor-app.ts"
import { createMinimalSite, sendRequest } from "../support/test-site.ts"

stopClock()

test("a setup has the secret for people and for a QR code, and stores nothing", async () => {
  const { auth, userId } = await createFactorSite()
  const input = { userId, session: justNow() }
  const { secret, url, setup } = await auth.factors.startTotp(input)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(url).toBe(`otpauth://totp/Riverside:ada%40example.com?secret=${secret}&issuer=Riverside`)
  expect(await auth.factors.confirmTotp({ ...input, setup, code: "000000" })).toBeUndefined()
  expect(await auth.factors.list(userId)).toEqual([])
})

test("a setup of another user adds nothing", async () => {
  const { auth, userId } = await createFactorSite()
  const { secret, setup } = await auth.factors.startTotp({ userId: "mallory", session: justNow() })
  const code = await showCode(secret)
  const input = { userId, session: justNow(), setup, code }
  expect(await auth.factors.confirmTotp(input)).toBeUndefined()
})

test("each change sends an event, without secrets", async () => {
  const events: [string, string, FactorInfo][] = []
  const record = (name: string) => (message: { user: { id?: string }; factor: FactorInfo }) =>
    void events.push([name, String(message.user.id), message.factor])
  const site = await createFactorSite({
    events: { addFactor: record("add"), removeFactor: record("remove") },
  })
  const { auth, userId } = site
  const { factor } = await site.enrol()
  const createdAt = expect.any(Date)
  const codes = { id: expect.any(String), method: "recovery-codes", createdAt }
  await auth.factors.replaceRecoveryCodes({ userId, session: justNow() })
  await auth.factors.remove({ userId, session: justNow(), id: factor.id })
  expect(events).toEqual([
    ["add", userId, factor],
    ["add", userId, { ...codes, left: 10 }],
    ["add", userId, { ...codes, left: 10 }],
    ["remove", userId, codes],
    ["remove", userId, factor],
    ["remove", userId, codes],
  ])
  expect(await auth.factors.list(userId)).toEqual([])
})

test("new recovery codes replace the old ones", async () => {
  const site = await createFactorSite()
  const { recoveryCodes: [old = ""] = [] } = await site.enrol()
  const [code = ""] = await site.auth.factors.replaceRecoveryCodes({
    userId: site.userId,
    session: justNow(),
  })
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  await submitFactor(browser, old, "recovery-codes")
  expect(await browser.getSession()).toBeNull()
  await submitFactor(browser, code, "recovery-codes")
  expect(await browser.getSession()).not.toBeNull()
})

describe("a change is refused with SessionNotFresh", () => {
  test.each([
    ["a stale authentication", { createdAt: new Date(Date.now() - 700_000) }],
    ["nothing that says when", {}],
  ])("for %s", async (_, session) => {
    const site = await createFactorSite()
    const { factor } = await site.enrol()
    const { factors } = site.auth
    const input = { userId: site.userId, session }
    for (const change of [
      factors.startTotp(input),
      factors.confirmTotp({ ...input, setup: "", code: "" }),
      factors.replaceRecoveryCodes(input),
      factors.remove({ ...input, id: factor.id }),
    ])
      await expect(change).rejects.toMatchObject({ type: "SessionNotFresh" })
    expect(await factors.list(site.userId)).toHaveLength(2)
  })

  test("for a session from before the user had a factor, and for that of another user", async () => {
    const site = await createFactorSite()
    const browser = site.openBrowser()
    await browser.signIn(site.provider)
    const read = async () => {
      const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const request = { headers: new Headers({ cookie }), url: "https://app.example/" }
      return (await site.auth.getSession(request)).session as object
    }
    const { factors } = site.auth
    const early = await read()
    await expect(factors.startTotp({ userId: "bob", session: early })).rejects.toMatchObject({
      type: "SessionNotFresh",
    })
    const { secret, factor } = await site.enrol()
    const { userId } = site
    await expect(
      factors.remove({ userId, session: await read(), id: factor.id }),
    ).rejects.toMatchObject({ type: "SessionNotFresh" })
    await browser.signIn(site.provider)
    await submitFactor(browser, await showCode(secret))
    expect(await factors.remove({ userId, session: await read(), id: factor.id })).toBe(true)
  })
})

test("support removes all factors of somebody who has lost them", async () => {
  const site = await createFactorSite()
  await site.enrol()
  expect(await site.auth.factors.removeAll(site.userId)).toBe(2)
  expect(await site.auth.factors.removeAll(site.userId)).toBe(0)
  const browser = site.openBrowser()
  await browser.signIn(site.provider)
  expect(await browser.getSession()).not.toBeNull()
})

test("without the option, the functions say so", async () => {
  const { secondFactor: _, ...config } = (await createFactorSite()).config
  const { createAuth } = await import("@latchkey/core")
  const auth = createAuth(config as AuthConfig)
  await expect(auth.factors.list("ada")).rejects.toMatchObject({ type: "InvalidOption" })
})

describe("the option is checked:", () => {
  const methods = [totp(), recoveryCodes()]
  test.each([
    ["no database", { secondFactor: { methods } }, "MissingAdapter"],
    [
      "an adapter without factors",
      { secondFactor: { methods }, adapter: {} },
      "MissingAdapterMethods",
    ],
    ["only recovery codes", { secondFactor: { methods: [recoveryCodes()] } }, "InvalidOption"],
    ["no methods", { secondFactor: {} }, "InvalidOption"],
    ["something else", { secondFactor: { methods: ["totp"] } }, "InvalidOption"],
    [
      "a provider that cannot say so",
      { secondFactor: { methods, accept: { credentials: true } } },
      "InvalidOption",
    ],
  ])("%s", async (_, changes, type) => {
    const site = createMinimalSite(changes as object)
    await sendRequest(site.config, "/auth/session")
    expect(site.log.errorCodes).toContain(type)
  })
})

describe("TOTP", () => {
  // RFC 6238, appendix B, with the last six of eight digits.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("has the code of RFC 6238 at %i s", async (seconds, code) => {
    const secret = new TextEncoder().encode("12345678901234567890")
    expect(await computeCode(secret, Math.floor(seconds / 30))).toBe(code)
  })

  test.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("writes %j in base32 as RFC 4648 does", (text, encoded) => {
    expect(encodeBase32(new TextEncoder().encode(text))).toBe(encoded)
    expect(new TextDecoder().decode(decodeBase32(encoded))).toBe(text)
  })
})
