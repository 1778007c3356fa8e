/** Case 123: a challenge can be used once, by the browser that received it. */
import { Auth } from "@latchkey/core"
import passkey from "@latchkey/core/providers/passkey"
import webauthn from "@latchkey/core/providers/webauthn"
import {
  assertRefused,
  createTestBrowser,
  createVirtualAuthenticator,
  getRedirectError,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createPasskeyApp, type PasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"

const origin = "https://app.example"
const refusalCode = "WebAuthnVerificationError"

/** Ada has a passkey and is signed out. */
async function registerAda(...parameters: Parameters<typeof createPasskeyApp>) {
  const app = await createPasskeyApp(...parameters)
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  return { ...app, ada }
}

/** An adapter without methods for verification tokens. */
async function createAppWithoutTokens(): Promise<PasskeyApp> {
  const { adapter } = await createPasskeyApp()
  const { createVerificationToken: _, useVerificationToken: __, ...rest } = adapter
  return createPasskeyApp({ adapter: rest })
}

/** An adapter that replaces a stored token instead of rejecting the second one. */
async function createAppWithReplacedTokens(): Promise<PasskeyApp> {
  const { adapter } = await createPasskeyApp()
  const createVerificationToken: typeof adapter.createVerificationToken = async (token) => {
    await adapter.useVerificationToken(token)
    return adapter.createVerificationToken(token)
  }
  return createPasskeyApp({ adapter: { ...adapter, createVerificationToken } })
}

async function expectRefused(app: PasskeyApp, passkeyBrowser: PasskeyBrowser, response: Response) {
  assertRefused(response)
  expect(getRedirectError(response)).toBe(refusalCode)
  expect(await passkeyBrowser.browser.getSession()).toBeNull()
  expect(app.log.errorCodes()).toContain(refusalCode)
}

const listChallengeCookies = (passkeyBrowser: PasskeyBrowser) =>
  [...passkeyBrowser.browser.cookies].filter(({ name }) => name.includes("authjs.challenge"))

describe("a challenge", () => {
  test("is in a cookie for this host that scripts cannot read, for 15 minutes", async () => {
    const app = await createPasskeyApp()
    const ada = app.openPasskeyBrowser()
    await ada.requestOptions()
    const [cookie] = listChallengeCookies(ada)
    expect(cookie?.name).toMatch(/^__Host-authjs\.challenge\.[\w-]{16}$/)
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax", path: "/" })
    expect(cookie?.raw).toContain("Max-Age=900")
  })

  test("that was never issued is refused", async () => {
    const app = await registerAda()
    const data = await app.ada.device.get({ challenge: "c29tZXRoaW5n" }, origin)
    await expectRefused(app, app.ada, await app.ada.sendResponse("authenticate", data))
  })

  test("of another browser is refused", async () => {
    const app = await registerAda()
    const mallory = app.openPasskeyBrowser()
    const asked = await mallory.requestOptions({ action: "authenticate" })
    const response = await app.ada.sendResponse("authenticate", await app.ada.createResponse(asked))
    await expectRefused(app, app.ada, response)
  })

  test("is stored when it is used, and not when it is requested", async () => {
    const app = await registerAda()
    const [registered] = app.rows("VerificationToken")
    expect(registered).toMatchObject({ identifier: "passkey-challenge:passkey" })
    for (let count = 0; count < 5; count += 1) {
      await app.openPasskeyBrowser().requestOptions({ action: "authenticate" })
      await app.openPasskeyBrowser().requestOptions({ action: "register", name: "Eve" })
    }
    expect(app.rows("VerificationToken")).toEqual([registered])
    const now = Date.now() + 1000
    await withFrozenTime(now, () => app.ada.signIn())
    const [, used] = app.rows("VerificationToken")
    expect(used).toMatchObject({ identifier: "passkey-challenge:passkey" })
    expect(used?.["token"]).not.toBe(registered?.["token"])
    // Until then, the cookie with the challenge may be valid.
    expect(Number(used?.["expires"])).toBe(now + 900_000)
  })

  test("is deleted from the browser by the response", async () => {
    const app = await registerAda()
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    expect(listChallengeCookies(app.ada)).toHaveLength(1)
    await app.ada.sendResponse("authenticate", await app.ada.createResponse(asked))
    expect(listChallengeCookies(app.ada)).toEqual([])
  })

  test("is also deleted by a response that is refused, which stores nothing", async () => {
    const app = await registerAda()
    const before = app.rows("VerificationToken")
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    const bad = await app.ada.createResponse(asked, { signature: "broken" })
    await expectRefused(app, app.ada, await app.ada.sendResponse("authenticate", bad))
    expect(listChallengeCookies(app.ada)).toEqual([])
    expect(app.rows("VerificationToken")).toEqual(before)
  })

  test.each([
    ["an adapter that stores tokens", () => createPasskeyApp()],
    ["an adapter that stores none", createAppWithoutTokens],
    ["an adapter that replaces them", createAppWithReplacedTokens],
  ])("can be used once even if its cookie is kept: %s", async (_, open) => {
    const app = await open()
    // An authenticator without a counter: nothing else would detect a replay.
    const ada = app.openPasskeyBrowser(createVirtualAuthenticator({ countsSignatures: false }))
    const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
    const kept = listChallengeCookies(ada).map(({ raw }) => raw)
    const data = await ada.createResponse(asked)
    expect(getRedirectError(await ada.sendResponse("register", data))).toBeNull()
    await ada.browser.signOut()

    const again = await ada.requestOptions({ action: "authenticate" })
    kept.push(...listChallengeCookies(ada).map(({ raw }) => raw))
    const signed = await ada.createResponse(again)
    expect(getRedirectError(await ada.sendResponse("authenticate", signed))).toBeNull()
    await ada.browser.signOut()

    for (const raw of kept) ada.browser.cookies.setUnchecked(origin, raw)
    await expectRefused(app, ada, await ada.sendResponse("authenticate", signed))
    await expectRefused(app, ada, await ada.sendResponse("register", data))
  })

  test("can be used once even if the configuration is created for each request", async () => {
    const { config, ...app } = await createAppWithoutTokens()
    const handle = (request: Request) =>
      Auth(request, { ...config, adapter: { ...config.adapter } })
    const device = createVirtualAuthenticator({ countsSignatures: false })
    const ada = new PasskeyBrowser(createTestBrowser(handle), device)
    await ada.register("ada@example.com")
    await ada.browser.signOut()
    const asked = await ada.requestOptions({ action: "authenticate" })
    const kept = listChallengeCookies(ada).map(({ raw }) => raw)
    const signed = await ada.createResponse(asked)
    expect(getRedirectError(await ada.sendResponse("authenticate", signed))).toBeNull()
    await ada.browser.signOut()
    for (const raw of kept) ada.browser.cookies.setUnchecked(origin, raw)
    await expectRefused({ config, ...app }, ada, await ada.sendResponse("authenticate", signed))
  })

  test.each(["sequentially", "at once"])("cannot be used in two processes %s", async (order) => {
    // Loads the modules of the first process, which would otherwise use those of the second one.
    const { adapter, ada: earlier } = await registerAda()
    assertRefused(await earlier.browser.post(earlier.browser.getRoutePath("callback/passkey"), {}))
    // An authenticator without a counter: nothing else would detect a replay.
    const device = createVirtualAuthenticator({ countsSignatures: false })
    // Its own modules, so that it shares no memory with the first one.
    vi.resetModules()
    const otherProcess = await import("../support/passkey-app.ts")
    const apps = await Promise.all([
      createPasskeyApp({ adapter }),
      otherProcess.createPasskeyApp({ adapter }),
    ])
    const people = apps.map((app) => app.openPasskeyBrowser(device))
    const [ada, replay] = people as [PasskeyBrowser, PasskeyBrowser]
    await ada.register("ada@example.com")
    await ada.browser.signOut()
    const asked = await ada.requestOptions({ action: "authenticate" })
    for (const { raw } of listChallengeCookies(ada))
      replay.browser.cookies.setUnchecked(origin, raw)
    const signed = await ada.createResponse(asked)
    const send = (person: PasskeyBrowser) => person.sendResponse("authenticate", signed)
    const responses =
      order === "at once"
        ? await Promise.all(people.map(send))
        : [await send(ada), await send(replay)]
    const sessions = await Promise.all(people.map(({ browser }) => browser.getSession()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    const refused = responses.filter((response) => getRedirectError(response) !== null)
    expect(refused).toHaveLength(1)
    for (const response of refused) assertRefused(response)
    expect(apps.flatMap(({ log }) => log.errorCodes())).toEqual(["AdapterError"])
  })

  test("that cannot be recorded as used refuses the sign-in, and a new one works", async () => {
    const app = await registerAda()
    app.failMethod("createVerificationToken")
    const response = await app.ada.signIn()
    assertRefused(response)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(await app.ada.browser.getSession()).toBeNull()
    expect(getRedirectError(await app.ada.signIn())).toBeNull()
  })

  test.each([
    [14, null],
    [16, refusalCode],
  ])("after %i minutes: %s", async (minutes, error) => {
    const app = await registerAda()
    const { ada } = app
    // The browser never deletes its cookies, so the server has to enforce the expiry.
    const patient = app.openPasskeyBrowser(ada.device, { now: () => 0 })
    const asked = await patient.requestOptions({ action: "authenticate" })
    const data = await patient.createResponse(asked)
    const later = Date.now() + minutes * 60_000
    const response = await withFrozenTime(later, () => patient.sendResponse("authenticate", data))
    expect(getRedirectError(response)).toBe(error)
  })

  test("of one provider is invalid for another one", async () => {
    const providers = [passkey(), webauthn({ enableConditionalUI: false })]
    const app = await registerAda({ providers })
    const asked = await app.ada.requestOptions({ action: "authenticate" }, "webauthn")
    const data = await app.ada.createResponse(asked)
    const response = await app.ada.sendResponse("authenticate", data, {}, "passkey")
    await expectRefused(app, app.ada, response)
  })

  test("of another deployment is refused", async () => {
    const app = await registerAda()
    const other = await createPasskeyApp({ secret: "the secret of quite another deployment, 2" })
    const stranger = other.openPasskeyBrowser()
    const asked = await stranger.requestOptions({ action: "authenticate" })
    for (const { raw } of listChallengeCookies(stranger))
      app.ada.browser.cookies.setUnchecked(origin, raw)
    const response = await app.ada.sendResponse("authenticate", await app.ada.createResponse(asked))
    await expectRefused(app, app.ada, response)
  })

  test("remains valid, once, after a rotation of the secret", async () => {
    const old = "the secret that was used until today, 1234"
    const app = await registerAda({ secret: old })
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    const kept = listChallengeCookies(app.ada).map(({ raw }) => raw)
    const { adapter } = app
    const next = await createPasskeyApp({
      adapter,
      secret: ["the secret that is new from today, 12345", old],
    })
    const ada = next.openPasskeyBrowser(app.ada.device)
    for (const raw of kept) ada.browser.cookies.setUnchecked(origin, raw)
    const signed = await ada.createResponse(asked)
    expect(getRedirectError(await ada.sendResponse("authenticate", signed))).toBeNull()
    // A process that has not reloaded its configuration yet.
    assertRefused(await app.ada.sendResponse("authenticate", signed))
    expect(await app.ada.browser.getSession()).toBeNull()
  })

  test("for authentication cannot register a passkey, nor the other way round", async () => {
    const app = await registerAda()
    const { ada } = app
    const use = await ada.requestOptions({ action: "authenticate" })
    const made = await ada.createResponse({
      ...(await ada.requestOptions({ action: "register", email: "new@example.com" })),
      action: "register",
    })
    const signed = await ada.createResponse(use)
    await expectRefused(app, ada, await ada.sendResponse("register", signed))
    await expectRefused(app, ada, await ada.sendResponse("authenticate", made))
    expect(app.countRows().slice(0, 2)).toEqual([1, 1])
  })

  test("in each of two tabs can be used, in any order", async () => {
    const app = await registerAda()
    const { ada } = app
    const first = await ada.requestOptions({ action: "authenticate" })
    const second = await ada.requestOptions({ action: "authenticate" })
    const signed = await ada.createResponse(first)
    expect(
      getRedirectError(await ada.sendResponse("authenticate", await ada.createResponse(second))),
    ).toBeNull()
    // The first response was signed earlier, so it is rejected because of its lower counter.
    expect(getRedirectError(await ada.sendResponse("authenticate", signed))).toBe(refusalCode)
    const third = await ada.requestOptions({ action: "authenticate" })
    expect(
      getRedirectError(await ada.sendResponse("authenticate", await ada.createResponse(third))),
    ).toBeNull()
  })

  test("of a browser is one of at most eight", async () => {
    const app = await createPasskeyApp()
    const ada = app.openPasskeyBrowser()
    for (let count = 0; count < 12; count += 1) await ada.requestOptions()
    expect(listChallengeCookies(ada)).toHaveLength(8)
  })
})

test("a value encrypted for another purpose is not a challenge", async () => {
  const app = await registerAda({ session: { strategy: "jwt" } })
  const { ada } = app
  await ada.signIn()
  const session = ada.browser.cookies.get("__Secure-authjs.session-token")?.value
  await ada.browser.signOut()
  const asked = await ada.requestOptions({ action: "authenticate" })
  const name = listChallengeCookies(ada)[0]?.name
  ada.browser.cookies.setUnchecked(origin, `${name}=${session}; Path=/; Secure; HttpOnly`)
  await expectRefused(
    app,
    ada,
    await ada.sendResponse("authenticate", await ada.createResponse(asked)),
  )
})
