/** The code of an e-mail, in the browser that requested it. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  address,
  changeCode,
  createCodeApp,
  dropSession,
  enterCode,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"

describe("the code of an e-mail", () => {
  test("signs in the browser that requested it, once", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    expect(code).toMatch(/^\d{6}$/)
    const response = await enterCode(ada, code, { callbackUrl: "/notes" })
    expect(response.headers.get("location")).toBe("https://app.example/notes")
    expect(await getAddress(ada)).toBe(address)
    expect(app.rows("VerificationToken")).toEqual([])
    const sessions = app.rows("Session").length
    dropSession(ada)
    assertRefused(await enterCode(ada, code))
    expect(app.rows("Session")).toHaveLength(sessions)
  })

  test("uses its link up", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { link, code } = await app.receive(ada)
    await enterCode(ada, code)
    dropSession(ada)
    assertRefused(await ada.open(link))
  })

  test.each([
    ["in groups", (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    ["with a dash", (code: string) => `${code.slice(0, 3)}–${code.slice(3)}`],
    ["in full width", (code: string) => shiftDigits(code, 0xff10)],
    ["in Arabic digits", (code: string) => shiftDigits(code, 0x0660)],
    ["in Devanagari digits", (code: string) => shiftDigits(code, 0x0966)],
    ["with invisible marks", (code: string) => `\u200e${code}\u200f`],
  ])("may be typed %s", async (_, type) => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    await enterCode(ada, type(code))
    expect(await getAddress(ada)).toBe(address)
  })

  test("signs in when the address is typed in other capitals", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada, "Ada@Example.com")
    await enterCode(ada, code, { email: " ADA@example.com" })
    expect(await getAddress(ada)).toBe(address)
  })

  test("signs in without the address, which the browser of the latest request has", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    await app.receive(ada, "bob@example.com")
    const { code } = await app.receive(ada)
    await ada.signIn("email", { code })
    expect(await getAddress(ada)).toBe(address)
    const again = await ada.signIn("email", { code })
    expect(again.headers.get("location")).toBe("https://app.example")
    const elsewhere = await app.openBrowser().signIn("email", { code })
    expect(getCodeProblem(elsewhere)).toEqual({ error: "Verification", reason: "invalid" })
  })

  test("belongs to one of the latest requests of the browser", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const first = await app.receive(ada)
    await app.receive(ada)
    await enterCode(ada, first.code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("is submitted by a script of the page, too", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    const body = { email: address, code, csrfToken: await ada.getCsrfToken() }
    const headers = { "sec-fetch-dest": "empty", "x-auth-return-redirect": "1" }
    const response = await ada.post("/auth/callback/email", body, { headers })
    expect(await response.json()).toEqual({ url: "https://app.example" })
    expect(await getAddress(ada)).toBe(address)
  })

  test("needs a form of this site", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    const fields = { email: address, code, csrfToken: await ada.getCsrfToken() }
    assertRefused(await ada.post("/auth/callback/email", fields, { from: "https://evil.example" }))
    assertRefused(await enterCode(ada, code, { csrfToken: "" }))
    expect(await getAddress(ada)).toBeNull()
    expect(app.rows("VerificationToken")).toHaveLength(2)
  })

  test("is refused when another one is right, and works afterwards", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    assertRefused(await enterCode(ada, changeCode(code)))
    expect(await getAddress(ada)).toBeNull()
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBe(address)
  })
})

const shiftDigits = (code: string, zero: number) =>
  [...code].map((digit) => String.fromCodePoint(zero + Number(digit))).join("")
