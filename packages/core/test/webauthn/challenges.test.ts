/** Case 123: a challenge is good for one answer, from the browser that was given it. */
import type { VerificationToken } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/providers/passkey"
import webauthn from "@latchkey/core/providers/webauthn"
import { assertRefused, errorOf, softAuthenticator, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type PasskeyHouse, type PasskeyPerson, passkeyHouse } from "../support/passkey-house.ts"

const origin = "https://app.example"
const refusal = "WebAuthnVerificationError"

/** Ada has a passkey, and is signed out. */
async function withAda(...parameters: Parameters<typeof passkeyHouse>) {
  const house = await passkeyHouse(...parameters)
  const ada = house.person()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  return { ...house, ada }
}

/** An adapter of the contract that keeps no tokens. */
async function withoutTokens(): Promise<PasskeyHouse> {
  const { adapter } = await passkeyHouse()
  const { createVerificationToken: _, useVerificationToken: __, ...rest } = adapter
  return passkeyHouse({ adapter: rest })
}

async function expectRefused(house: PasskeyHouse, who: PasskeyPerson, answer: Response) {
  assertRefused(answer)
  expect(errorOf(answer)).toBe(refusal)
  expect(await who.browser.session()).toBeNull()
  expect(house.log.errors()).toContain(refusal)
}

const challengeCookies = (who: PasskeyPerson) =>
  [...who.browser.cookies].filter(({ name }) => name.includes("authjs.challenge"))

describe("123 a challenge", () => {
  test("123 is kept in a cookie that only this host's server reads, for 15 minutes", async () => {
    const house = await passkeyHouse()
    const ada = house.person()
    await ada.ask()
    const [cookie] = challengeCookies(ada)
    expect(cookie?.name).toMatch(/^__Host-authjs\.challenge\.[\w-]{16}$/)
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax", path: "/" })
    expect(cookie?.raw).toContain("Max-Age=900")
  })

  test("123 that was never given out is refused", async () => {
    const house = await withAda()
    const data = await house.ada.device.get({ challenge: "c29tZXRoaW5n" }, origin)
    await expectRefused(house, house.ada, await house.ada.send("authenticate", data))
  })

  test("123 of another browser is refused", async () => {
    const house = await withAda()
    const mallory = house.person()
    const asked = await mallory.ask({ action: "authenticate" })
    const answer = await house.ada.send("authenticate", await house.ada.answer(asked))
    await expectRefused(house, house.ada, answer)
  })

  test("123 is used up by the answer: its cookie is gone, and so is what the server kept", async () => {
    const house = await withAda()
    const asked = await house.ada.ask({ action: "authenticate" })
    expect(house.rows("VerificationToken")).toHaveLength(1)
    expect(challengeCookies(house.ada)).toHaveLength(1)
    await house.ada.send("authenticate", await house.ada.answer(asked))
    expect(house.rows("VerificationToken")).toEqual([])
    expect(challengeCookies(house.ada)).toEqual([])
  })

  test("123 is used up by an answer that is refused, too", async () => {
    const house = await withAda()
    const asked = await house.ada.ask({ action: "authenticate" })
    const bad = await house.ada.answer(asked, { signature: "broken" })
    await expectRefused(house, house.ada, await house.ada.send("authenticate", bad))
    expect(challengeCookies(house.ada)).toEqual([])
    expect(house.rows("VerificationToken")).toEqual([])
  })

  test.each([
    ["an adapter that keeps tokens", () => passkeyHouse()],
    ["an adapter that keeps none", withoutTokens],
  ])("123 with its cookie kept is answered once only: %s", async (_, open) => {
    const house = await open()
    const ada = house.person()
    const asked = await ada.ask({ action: "register", email: "ada@example.com" })
    const kept = challengeCookies(ada).map(({ raw }) => raw)
    const data = await ada.answer(asked)
    expect(errorOf(await ada.send("register", data))).toBeNull()
    await ada.browser.signOut()

    const again = await ada.ask({ action: "authenticate" })
    kept.push(...challengeCookies(ada).map(({ raw }) => raw))
    const signed = await ada.answer(again)
    expect(errorOf(await ada.send("authenticate", signed))).toBeNull()
    await ada.browser.signOut()

    for (const raw of kept) ada.browser.cookies.plant(origin, raw)
    await expectRefused(house, ada, await ada.send("authenticate", signed))
    await expectRefused(house, ada, await ada.send("register", data))
  })

  test("123 is not used up by proxy: an adapter that takes another one's row lets nobody in", async () => {
    const { adapter } = await passkeyHouse()
    const rows: VerificationToken[] = []
    const house = await passkeyHouse({
      adapter: {
        ...adapter,
        createVerificationToken: async (row) => void rows.push(row),
        // Whatever there is under the identifier, which all challenges share.
        useVerificationToken: async ({ identifier }) => {
          const at = rows.findIndex((row) => row.identifier === identifier)
          return rows.splice(at, at < 0 ? 0 : 1)[0] ?? null
        },
      },
    })
    // One that does not count: nothing else would tell a replay.
    const ada = house.person(softAuthenticator({ counts: false }))
    await ada.register("ada@example.com")
    await ada.browser.signOut()
    const asked = await ada.ask({ action: "authenticate" })
    const kept = challengeCookies(ada)[0]?.raw ?? ""
    const signed = await ada.answer(asked)
    expect(errorOf(await ada.send("authenticate", signed))).toBeNull()
    await ada.browser.signOut()

    await house.person().ask({ action: "authenticate" })
    ada.browser.cookies.plant(origin, kept)
    await expectRefused(house, ada, await ada.send("authenticate", signed))
    expect(rows).toHaveLength(1)
  })

  test("123 that is answered eight times at once lets one of them in", async () => {
    const house = await withAda()
    const asked = await house.ada.ask({ action: "authenticate" })
    const cookie = challengeCookies(house.ada)[0]?.raw ?? ""
    const data = await house.ada.answer(asked)
    const tabs = Array.from({ length: 8 }, () => house.person(house.ada.device))
    for (const { browser } of tabs) browser.cookies.plant(origin, cookie)
    const answers = await Promise.all(tabs.map((tab) => tab.send("authenticate", data)))
    expect(answers.map(errorOf).filter((error) => error === null)).toHaveLength(1)
  })

  test.each([
    [14, null],
    [16, refusal],
  ])("123 after %i minutes: %s", async (minutes, error) => {
    const house = await withAda()
    const { ada } = house
    // A browser that keeps its cookies for ever: the server has to know.
    const patient = house.person(ada.device, { now: () => 0 })
    const asked = await patient.ask({ action: "authenticate" })
    const data = await patient.answer(asked)
    const later = Date.now() + minutes * 60_000
    const answer = await withClock(later, () => patient.send("authenticate", data))
    expect(errorOf(answer)).toBe(error)
  })

  test("123 for one provider is worth nothing for another", async () => {
    const providers = [passkey(), webauthn({ enableConditionalUI: false })]
    const house = await withAda({ providers })
    const asked = await house.ada.ask({ action: "authenticate" }, "webauthn")
    const data = await house.ada.answer(asked)
    const answer = await house.ada.send("authenticate", data, {}, "passkey")
    await expectRefused(house, house.ada, answer)
  })

  test("123 of another deployment is refused", async () => {
    const house = await withAda()
    const other = await passkeyHouse({ secret: "the secret of quite another deployment, 2" })
    const stranger = other.person()
    const asked = await stranger.ask({ action: "authenticate" })
    for (const { raw } of challengeCookies(stranger)) house.ada.browser.cookies.plant(origin, raw)
    const answer = await house.ada.send("authenticate", await house.ada.answer(asked))
    await expectRefused(house, house.ada, answer)
  })

  test("123 outlives a change of the secret", async () => {
    const old = "the secret that was used until today, 1234"
    const house = await withAda({ secret: old })
    const asked = await house.ada.ask({ action: "authenticate" })
    const kept = challengeCookies(house.ada).map(({ raw }) => raw)
    const { adapter } = house
    const next = await passkeyHouse({
      adapter,
      secret: ["the secret that is new from today, 12345", old],
    })
    const ada = next.person(house.ada.device)
    for (const raw of kept) ada.browser.cookies.plant(origin, raw)
    expect(errorOf(await ada.send("authenticate", await ada.answer(asked)))).toBeNull()
  })

  test("123 to use a passkey makes none, and the other way round", async () => {
    const house = await withAda()
    const { ada } = house
    const use = await ada.ask({ action: "authenticate" })
    const made = await ada.answer({
      ...(await ada.ask({ action: "register", email: "new@example.com" })),
      action: "register",
    })
    const signed = await ada.answer(use)
    await expectRefused(house, ada, await ada.send("register", signed))
    await expectRefused(house, ada, await ada.send("authenticate", made))
    expect(house.counts().slice(0, 2)).toEqual([1, 1])
  })

  test("123 in two tabs: both can be answered, in any order", async () => {
    const house = await withAda()
    const { ada } = house
    const first = await ada.ask({ action: "authenticate" })
    const second = await ada.ask({ action: "authenticate" })
    const signed = await ada.answer(first)
    expect(errorOf(await ada.send("authenticate", await ada.answer(second)))).toBeNull()
    // The first one was signed before: its counter is behind now, and that is what refuses it.
    expect(errorOf(await ada.send("authenticate", signed))).toBe(refusal)
    const third = await ada.ask({ action: "authenticate" })
    expect(errorOf(await ada.send("authenticate", await ada.answer(third)))).toBeNull()
  })

  test("137 a browser keeps no more than eight", async () => {
    const house = await passkeyHouse()
    const ada = house.person()
    for (let count = 0; count < 12; count += 1) await ada.ask()
    expect(challengeCookies(ada)).toHaveLength(8)
  })
})

test("123 what was sealed for something else is no challenge", async () => {
  const house = await withAda({ session: { strategy: "jwt" } })
  const { ada } = house
  await ada.signIn()
  const session = ada.browser.cookies.get("__Secure-authjs.session-token")?.value
  await ada.browser.signOut()
  const asked = await ada.ask({ action: "authenticate" })
  const name = challengeCookies(ada)[0]?.name
  ada.browser.cookies.plant(origin, `${name}=${session}; Path=/; Secure; HttpOnly`)
  await expectRefused(house, ada, await ada.send("authenticate", await ada.answer(asked)))
})
