/** Codes that are refused, and the page to which the visitor returns. */
import { getRedirectError } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  address,
  type CodeApp,
  changeCode,
  createCodeApp,
  enterCode,
  enterCodeForLink,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"
import { findElement, findElements } from "../support/html-parser.ts"
import { confirmLink } from "../support/open-link.ts"

afterEach(() => void vi.useRealTimers())

const incorrect = (attempts: number) => ({
  error: "Verification",
  reason: "incorrect",
  attempts: String(attempts),
})
const invalid = { error: "Verification", reason: "invalid" }
const missing = { error: "Verification", reason: "missing" }

const getError = (html: string) => findElement(html, "div", { role: "alert" }).text.trim()

async function openApp(...options: Parameters<typeof createCodeApp>) {
  const app = await createCodeApp(...options)
  return { app, ada: app.openBrowser() }
}

describe("in the browser that requested it, a code", () => {
  test("that is wrong leads back to the page, with the attempts that are left", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    const response = await enterCode(ada, changeCode(code))
    const location = response.headers.get("location") ?? ""
    expect(location).toMatch(/^https:\/\/app\.example\/auth\/verify-request\?/)
    expect(location).not.toContain("ada")
    expect(getCodeProblem(response)).toEqual(incorrect(4))
    const html = await (await ada.followRedirect(response)).text()
    expect(getError(html)).toContain("4")
    expect(findElement(html, "strong").text).toBe(address)
    const form = findElements(html, "form")[0]
    expect(form?.attributes.get("action")).toBe("https://app.example/auth/callback/email")
    expect(findElement(html, "input", { name: "code" }).attributes.has("value")).toBe(false)
  })

  test("is no longer valid after five attempts, which a request for another e-mail changes", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    for (const left of [4, 3, 2, 1])
      expect(getCodeProblem(await enterCode(ada, changeCode(code, left)))).toEqual(incorrect(left))
    expect(getCodeProblem(await enterCode(ada, changeCode(code, 5)))).toEqual(invalid)
    expect(getCodeProblem(await enterCode(ada, code))).toEqual(invalid)
    expect(await getAddress(ada)).toBeNull()
    const page = await ada.open("/auth/verify-request?error=Verification&reason=invalid")
    expect(findElements(await page.text(), "input", { name: "code" })).toEqual([])
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBe(address)
  })

  test.each([["12345"], ["1234567"], ["12345x"], ["abcdef"], ["１２３"], ["<b>"]])(
    "that is not six digits (%s) uses no attempt up",
    async (typed) => {
      const { app, ada } = await openApp()
      const { code } = await app.receive(ada)
      const response = await enterCode(ada, typed)
      expect(getCodeProblem(response)).toEqual({ error: "Verification", reason: "incorrect" })
      expect(getCodeProblem(await enterCode(ada, changeCode(code)))).toEqual(incorrect(4))
    },
  )

  test("that is missing uses no attempt up", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    expect(getCodeProblem(await enterCode(ada, " "))).toEqual(missing)
    expect(getCodeProblem(await enterCode(ada, changeCode(code)))).toEqual(incorrect(4))
  })

  test("is valid for ten minutes, and its link for longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    vi.setSystemTime(Date.now() + 601_000)
    expect(getCodeProblem(await enterCode(ada, code))).toEqual(invalid)
    await ada.open(link)
    expect(await getAddress(ada)).toBe(address)
  })

  test("expires with its link", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { app, ada } = await openApp({ maxAge: 60 })
    const { code } = await app.receive(ada)
    vi.setSystemTime(Date.now() + 61_000)
    expect(getCodeProblem(await enterCode(ada, code))).toEqual(invalid)
  })

  test("is not asked for if the e-mail carries none", async () => {
    const { app, ada } = await openApp({ sendVerificationRequest: () => {} })
    await app.receive(ada)
    const html = await (await ada.open("/auth/verify-request")).text()
    expect(findElements(html, "input", { name: "code" })).toEqual([])
    expect(app.rows("VerificationToken")).toHaveLength(1)
  })

  test("leads to the page of the application, if it has its own", async () => {
    const { app, ada } = await openApp({}, { pages: { verifyRequest: "/mail" } })
    const { code } = await app.receive(ada)
    const response = await enterCode(ada, changeCode(code))
    expect(response.headers.get("location")).toBe(
      "https://app.example/mail?provider=email&type=email&error=Verification&reason=incorrect&attempts=4",
    )
  })

  test("that a script submitted has its problem in the JSON response", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    const body = { email: address, code: changeCode(code), csrfToken: await ada.getCsrfToken() }
    const headers = { "x-auth-return-redirect": "1" }
    const response = await ada.post("/auth/callback/email", body, { headers })
    const { url } = await response.json()
    expect(new URL(url).searchParams.get("reason")).toBe("incorrect")
    expect(new URL(url).searchParams.get("attempts")).toBe("4")
  })

  test("that was submitted twice signs in, and the second answer is no error", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    await enterCode(ada, code, { callbackUrl: "/notes" })
    const again = await enterCode(ada, code, { callbackUrl: "/notes" })
    expect(again.headers.get("location")).toBe("https://app.example/notes")
    expect(app.rows("Session")).toHaveLength(1)
  })

  test("that was submitted twice is no error if the browser has requested several", async () => {
    const { app, ada } = await openApp()
    await app.receive(ada)
    const { code } = await app.receive(ada)
    await enterCode(ada, code)
    const again = await enterCode(ada, code, { callbackUrl: "/notes" })
    expect(again.headers.get("location")).toBe("https://app.example/notes")
    await app.receive(ada)
    expect(getCodeProblem(await enterCode(ada, changeCode(code)))).toEqual(incorrect(4))
  })

  test("whose link is opened afterwards is no error while its user is signed in", async () => {
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    link.searchParams.set("callbackUrl", "/notes")
    await enterCode(ada, code)
    for (let times = 0; times < 2; times += 1)
      expect((await ada.open(link)).headers.get("location")).toBe("https://app.example/notes")
    expect(app.rows("Session")).toHaveLength(1)
    await enterCode(ada, (await app.receive(ada, "bob@example.com")).code, {
      email: "bob@example.com",
    })
    expect(getRedirectError(await ada.open(link))).toBe("Verification")
    expect(await getAddress(ada)).toBe("bob@example.com")
  })

  test("that was submitted by another user twice is an error", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada, "bob@example.com")
    await enterCode(ada, code, { email: "bob@example.com" })
    const again = await enterCode(ada, code)
    expect(getCodeProblem(again)).toEqual(invalid)
  })
})

async function openElsewhere(app: CodeApp) {
  const { link, code } = await app.receive(app.openBrowser())
  const other = app.openBrowser()
  const page = await other.open(link)
  return { link, code, other, html: await page.clone().text(), page }
}

describe("in another browser, a link", () => {
  test("asks for the code, and signs in with it", async () => {
    const { app } = await openApp()
    const { link, code, other, html } = await openElsewhere(app)
    expect(findElements(html, "form")[0]?.attributes.get("action")).toBe(link.href)
    expect(findElements(html, "input", { name: "code" })).toHaveLength(1)
    const response = await enterCodeForLink(other, link, code)
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(await getAddress(other)).toBe(address)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("shows the problem of a code at the form, and shares its attempts with the first browser", async () => {
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    const other = app.openBrowser()
    const response = await enterCodeForLink(other, link, changeCode(code))
    expect(getCodeProblem(response)).toEqual(incorrect(4))
    const html = await (await other.followRedirect(response)).text()
    expect(getError(html)).toContain("4")
    expect(findElements(html, "form")[0]?.attributes.get("action")).toBe(link.href)
    expect(getCodeProblem(await enterCode(ada, changeCode(code)))).toEqual(incorrect(3))
    await enterCodeForLink(other, link, code)
    expect(await getAddress(other)).toBe(address)
  })

  test("uses nothing up without the code, and says that it needs it", async () => {
    const { app, ada } = await openApp()
    const { link } = await app.receive(ada)
    const stored = app.rows("VerificationToken")
    const other = app.openBrowser()
    const csrfToken = await other.getCsrfToken()
    for (const fields of [{}, { code: "" }]) {
      const response = await other.post(link, { csrfToken, ...fields })
      expect(getCodeProblem(response)).toEqual(missing)
      expect((await other.followRedirect(response)).status).toBe(200)
    }
    expect(app.rows("VerificationToken")).toEqual(stored)
    await ada.open(link)
    expect(await getAddress(ada)).toBe(address)
  })

  test("offers another e-mail once its code is not valid, and makes that browser the asking one", async () => {
    const { app } = await openApp()
    const { link, code, other } = await openElsewhere(app)
    let response = new Response()
    for (const by of [1, 2, 3, 4, 5])
      response = await enterCodeForLink(other, link, changeCode(code, by))
    expect(getCodeProblem(response)).toEqual(invalid)
    const html = await (await other.followRedirect(response)).text()
    expect(findElements(html, "input", { name: "code" })).toEqual([])
    const form = findElement(html, "form", { method: "post" })
    const fields = Object.fromEntries(
      findElements(html, "input").map(({ attributes }) => [
        attributes.get("name"),
        attributes.get("value") ?? "",
      ]),
    )
    await other.post(form.attributes.get("action") ?? "", fields)
    await enterCode(other, app.sent.at(-1)?.code ?? "")
    expect(await getAddress(other)).toBe(address)
  })

  test("has a button if its e-mail carries no code", async () => {
    const { app } = await openApp({ sendVerificationRequest: () => {} })
    const { other, html, page } = await openElsewhere(app)
    expect(findElements(html, "input", { name: "code" })).toEqual([])
    await confirmLink(other, page)
    expect(await getAddress(other)).toBe(address)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("without a code works although e-mails carry codes meanwhile", async () => {
    const { app } = await openApp()
    await app.receive(app.openBrowser(), "first@example.com")
    const provider = {
      ...app.config.providers[0],
      sendsCode: false,
      sendVerificationRequest: sendPlain,
    }
    const links: string[] = []
    function sendPlain({ url }: { url: string }) {
      links.push(url)
    }
    const config = { ...app.config, providers: [provider] as typeof app.config.providers }
    const { createTestApp } = await import("../support/test-app.ts")
    await createTestApp(config).openBrowser().signIn("email", { email: address })
    const other = app.openBrowser()
    const html = await (await other.open(links[0] ?? "")).text()
    expect(findElements(html, "button", { id: "noCodeButton" })).toHaveLength(1)
    await other.post(links[0] ?? "", { csrfToken: await other.getCsrfToken() })
    expect(await getAddress(other)).toBe(address)
  })

  test("is refused after it was used, with the code", async () => {
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    await ada.open(link)
    const other = app.openBrowser()
    expect(getCodeProblem(await enterCodeForLink(other, link, code))).toEqual(invalid)
    expect(await getAddress(other)).toBeNull()
  })
})
