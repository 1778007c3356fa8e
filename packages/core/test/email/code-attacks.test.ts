/** Attacks on sign-ins with a code. The attacker has an own browser, own address, and the e-mails to that address. */
import { assertRefused, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  address as ada,
  type CodeApp,
  changeCode,
  createCodeApp,
  enterCode,
  enterCodeForLink,
} from "../support/code-app.ts"

const mallory = "mallory@evil.example"
const markerPrefix = "__Host-authjs.email-request."

const getAddress = async (browser: TestBrowser) => (await browser.getSession())?.user?.email ?? null

const listMarkers = ({ cookies }: TestBrowser) =>
  [...cookies].filter(({ name }) => name.startsWith(markerPrefix))

/** Everything that a refused attack must leave as it is. */
const readState = (app: CodeApp) => ({
  counts: app.countRows(),
  tokens: app.rows("VerificationToken"),
})

describe("a link that an attacker requested and forwards", () => {
  test.each([
    ["opened", (victim: TestBrowser, link: URL) => victim.open(link)],
    [
      "opened from a page of the attacker",
      (victim: TestBrowser, link: URL) => victim.open(link, { from: "https://evil.example" }),
    ],
    [
      "confirmed without a code",
      async (victim: TestBrowser, link: URL) =>
        victim.post(link, { csrfToken: await victim.getCsrfToken() }),
    ],
    [
      "submitted by a form of the attacker, with the code",
      async (victim: TestBrowser, link: URL, code: string) =>
        victim.post(
          link,
          { code, csrfToken: await victim.getCsrfToken() },
          { from: "https://evil.example" },
        ),
    ],
    [
      "submitted with the code, without a page of the application",
      (victim: TestBrowser, link: URL, code: string) => victim.post(link, { code }),
    ],
  ])("signs nobody in when it is %s", async (_, attack) => {
    const app = await createCodeApp()
    const { link, code } = await app.receive(app.openBrowser(), mallory)
    const victim = app.openBrowser()
    const before = readState(app)
    await attack(victim, link, code)
    expect(await getAddress(victim)).toBeNull()
    expect(readState(app)).toEqual(before)
  })

  test("names the address of the attacker before the victim enters the code that came with it", async () => {
    const app = await createCodeApp()
    const { link } = await app.receive(app.openBrowser(), mallory)
    expect(await (await app.openBrowser().open(link)).text()).toContain(mallory)
  })
})

describe("an e-mail that an attacker requested for the victim's address", () => {
  test("cannot be used in the attacker's browser without the victim's mailbox", async () => {
    const app = await createCodeApp()
    const attacker = app.openBrowser()
    const { code } = await app.receive(attacker, ada)
    for (let by = 1; by <= 8; by += 1) await enterCode(attacker, changeCode(code, by))
    // Even the right code is refused now.
    assertRefused(await enterCode(attacker, code))
    expect(await getAddress(attacker)).toBeNull()
    expect(app.rows("Session")).toEqual([])
  })

  test("signs the victim in, and not the attacker, when the victim uses it", async () => {
    const app = await createCodeApp()
    const attacker = app.openBrowser()
    const { link, code } = await app.receive(attacker, ada)
    const victim = app.openBrowser()
    await enterCodeForLink(victim, link, code)
    expect(await getAddress(victim)).toBe(ada)
    expect(await getAddress(attacker)).toBeNull()
    assertRefused(await enterCode(attacker, code))
  })

  test("leaves the e-mail that the victim requested alone", async () => {
    const app = await createCodeApp()
    const [victim, attacker] = [app.openBrowser(), app.openBrowser()]
    const own = await app.receive(victim, ada)
    const other = await app.receive(attacker, ada)
    for (let by = 1; by <= 6; by += 1) await enterCode(attacker, changeCode(other.code, by))
    await enterCode(victim, own.code)
    expect(await getAddress(victim)).toBe(ada)
  })
})

describe("the marker of a browser", () => {
  test("cannot be planted by a site on a sub-domain", async () => {
    const app = await createCodeApp()
    const attacker = app.openBrowser()
    const { link } = await app.receive(attacker, mallory)
    const victim = app.openBrowser()
    const [marker] = listMarkers(attacker)
    const names = [
      marker?.name ?? "",
      marker?.name.replace("__Host-", "__Secure-") ?? "",
      marker?.name.replace("__Host-", "") ?? "",
    ]
    const planted = names.map(
      (name) => `${name}=${marker?.value}; Domain=app.example; Path=/; Secure`,
    )
    victim.cookies.setCookies(planted, {
      url: new URL("https://blog.app.example/"),
      isCrossSite: false,
      isNavigation: true,
      isSafeNavigation: true,
    })
    expect(victim.cookies.rejected.map(({ raw }) => raw)).toEqual(planted.slice(0, 1))
    expect(victim.cookies.size).toBe(2)
    const before = readState(app)
    expect((await victim.open(link)).status).toBe(200)
    expect(await getAddress(victim)).toBeNull()
    expect(readState(app)).toEqual(before)
  })

  test("is worth nothing for the code of another address", async () => {
    const app = await createCodeApp()
    const attacker = app.openBrowser()
    const own = await app.receive(attacker, mallory)
    const victim = app.openBrowser()
    const { code } = await app.receive(victim, ada)
    const before = readState(app)
    assertRefused(await enterCode(attacker, own.code, { email: ada }))
    assertRefused(await enterCode(attacker, code, { email: ada }))
    expect(readState(app)).toEqual(before)
    // In the victim's browser, the attacker's code is an incorrect one for the victim's address.
    if (own.code !== code) assertRefused(await enterCode(victim, own.code))
    expect(app.rows("Session")).toEqual([])
  })

  test("is worth nothing for the code of another address under another name", async () => {
    const app = await createCodeApp()
    const attacker = app.openBrowser()
    await app.receive(attacker, mallory)
    const victim = app.openBrowser()
    const { code } = await app.receive(victim, ada)
    const [[own], [other]] = [listMarkers(attacker), listMarkers(victim)]
    attacker.cookies.setUnchecked(
      "https://app.example",
      `${other?.name}=${own?.value}; Path=/; Secure`,
    )
    const before = readState(app)
    assertRefused(await enterCode(attacker, code, { email: ada }))
    expect(await getAddress(attacker)).toBeNull()
    expect(readState(app)).toEqual(before)
  })
})

describe("a code without the marker of its request", () => {
  test.each([
    ["in a browser that asked for nothing", async () => {}],
    [
      "in a browser that asked for another address",
      async (app: CodeApp, browser: TestBrowser) => {
        await app.receive(browser, mallory)
      },
    ],
  ])("is refused and uses no attempt up, %s", async (_, prepare) => {
    const app = await createCodeApp()
    const victim = app.openBrowser()
    const { code } = await app.receive(victim, ada)
    const other = app.openBrowser()
    await prepare(app, other)
    const before = readState(app)
    for (let times = 0; times < 8; times += 1) assertRefused(await enterCode(other, code))
    expect(await getAddress(other)).toBeNull()
    expect(readState(app)).toEqual(before)
    await enterCode(victim, code)
    expect(await getAddress(victim)).toBe(ada)
  })

  test("is refused in the form of another site", async () => {
    const app = await createCodeApp()
    const victim = app.openBrowser()
    const { code } = await app.receive(victim, ada)
    const before = readState(app)
    const fields = { email: ada, code, csrfToken: await victim.getCsrfToken() }
    assertRefused(
      await victim.post("/auth/callback/email", fields, { from: "https://evil.example" }),
    )
    assertRefused(await victim.post("/auth/callback/email", { email: ada, code }))
    expect(await getAddress(victim)).toBeNull()
    expect(readState(app)).toEqual(before)
  })
})

describe("two requests for one address at once", () => {
  test("from two browsers: each browser takes the code of its own", async () => {
    const app = await createCodeApp()
    const browsers = [app.openBrowser(), app.openBrowser()]
    await Promise.all(browsers.map((browser) => browser.signIn("email", { email: ada })))
    const codes = app.sent.map(({ code = "" }) => code)
    expect(codes).toHaveLength(2)
    // The e-mails arrive in any order.
    const signedIn = await Promise.all(browsers.map((browser) => tryCodes(browser, codes)))
    expect(signedIn).toEqual([ada, ada])
    expect(app.countRows()).toEqual([1, 0, 2, 0])
  })

  test("from one browser: both codes and both links work, each once", async () => {
    const app = await createCodeApp()
    const browser = app.openBrowser()
    const messages = [await app.receive(browser, ada), await app.receive(browser, ada)]
    await enterCode(browser, messages[0]?.code ?? "")
    expect(await getAddress(browser)).toBe(ada)
    await browser.signOut()
    await browser.open(messages[1]?.link ?? "")
    expect(await getAddress(browser)).toBe(ada)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("of 32 submissions of the right code at once, one signs in", async () => {
    const app = await createCodeApp()
    const browser = app.openBrowser()
    const { code } = await app.receive(browser, ada)
    await Promise.all(Array.from({ length: 32 }, () => enterCode(browser, code)))
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })

  test("of a link and its code at once, one signs in", async () => {
    const app = await createCodeApp()
    const browser = app.openBrowser()
    const { link, code } = await app.receive(browser, ada)
    await Promise.all([browser.open(link), enterCode(browser, code)])
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })
})

/** Enters each code until one signs in. */
async function tryCodes(browser: TestBrowser, codes: readonly string[]): Promise<unknown> {
  for (const code of codes) {
    await enterCode(browser, code)
    if (await getAddress(browser)) break
  }
  return getAddress(browser)
}
