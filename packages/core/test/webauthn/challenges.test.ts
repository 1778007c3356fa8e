/** Case 123: a challenge can be used once, by the browser that received it. */
import type { VerificationToken } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/providers/passkey"
import webauthn from "@latchkey/core/providers/webauthn"
import {
  assertRefused,
  createVirtualAuthenticator,
  getRedirectError,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp, type PasskeyApp, type PasskeyBrowser } from "../support/passkey-app.ts"

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

  test("is consumed by the response: its cookie and its token are deleted", async () => {
    const app = await registerAda()
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    expect(app.rows("VerificationToken")).toHaveLength(1)
    expect(listChallengeCookies(app.ada)).toHaveLength(1)
    await app.ada.sendResponse("authenticate", await app.ada.createResponse(asked))
    expect(app.rows("VerificationToken")).toEqual([])
    expect(listChallengeCookies(app.ada)).toEqual([])
  })

  test("is also consumed by a response that is refused", async () => {
    const app = await registerAda()
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    const bad = await app.ada.createResponse(asked, { signature: "broken" })
    await expectRefused(app, app.ada, await app.ada.sendResponse("authenticate", bad))
    expect(listChallengeCookies(app.ada)).toEqual([])
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test.each([
    ["an adapter that stores tokens", () => createPasskeyApp()],
    ["an adapter that stores none", createAppWithoutTokens],
  ])("can be used once even if its cookie is kept: %s", async (_, open) => {
    const app = await open()
    const ada = app.openPasskeyBrowser()
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

  test("is refused if the adapter returns the row of another challenge", async () => {
    const { adapter } = await createPasskeyApp()
    const rows: VerificationToken[] = []
    const app = await createPasskeyApp({
      adapter: {
        ...adapter,
        createVerificationToken: async (row) => void rows.push(row),
        // All rows with the identifier, which all challenges share.
        useVerificationToken: async ({ identifier }) => {
          const index = rows.findIndex((row) => row.identifier === identifier)
          return rows.splice(index, index < 0 ? 0 : 1)[0] ?? null
        },
      },
    })
    // An authenticator without a counter: nothing else would detect a replay.
    const ada = app.openPasskeyBrowser(createVirtualAuthenticator({ countsSignatures: false }))
    await ada.register("ada@example.com")
    await ada.browser.signOut()
    const asked = await ada.requestOptions({ action: "authenticate" })
    const kept = listChallengeCookies(ada)[0]?.raw ?? ""
    const signed = await ada.createResponse(asked)
    expect(getRedirectError(await ada.sendResponse("authenticate", signed))).toBeNull()
    await ada.browser.signOut()

    await app.openPasskeyBrowser().requestOptions({ action: "authenticate" })
    ada.browser.cookies.setUnchecked(origin, kept)
    await expectRefused(app, ada, await ada.sendResponse("authenticate", signed))
    expect(rows).toHaveLength(1)
  })

  test("that is used eight times at once signs in once", async () => {
    const app = await registerAda()
    const asked = await app.ada.requestOptions({ action: "authenticate" })
    const cookie = listChallengeCookies(app.ada)[0]?.raw ?? ""
    const data = await app.ada.createResponse(asked)
    const tabs = Array.from({ length: 8 }, () => app.openPasskeyBrowser(app.ada.device))
    for (const { browser } of tabs) browser.cookies.setUnchecked(origin, cookie)
    const responses = await Promise.all(tabs.map((tab) => tab.sendResponse("authenticate", data)))
    expect(responses.map(getRedirectError).filter((error) => error === null)).toHaveLength(1)
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

  test("remains valid after a rotation of the secret", async () => {
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
    expect(
      getRedirectError(await ada.sendResponse("authenticate", await ada.createResponse(asked))),
    ).toBeNull()
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
