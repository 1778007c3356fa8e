/** The form for the code of an e-mail, on both pages that have it. */
import english from "@latchkey/pages/languages/en"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../../core/test/support/html-parser.ts"
import type { CodeFormProps } from "../src/pages/code-form.ts"
import type { VerifyRequestPageProps } from "../src/pages/email-pages.ts"
import { createPages } from "./support/built-in-pages.ts"

const pages = createPages({})
const homeUrl = "https://app.example"
const form = { csrfToken: "csrf", callbackUrl: "https://app.example/notes" }
const codeForm = { ...form, action: "https://app.example/auth/callback/email" }
const resendForm = {
  ...form,
  action: "https://app.example/auth/signin/email",
  email: "ada@example.com",
}
const link = { ...resendForm, signInUrl: "https://app.example/auth/signin" }

const renderCheckEmail = async (props: Partial<VerifyRequestPageProps> = {}) =>
  (await pages.verifyRequest({ homeUrl, link, codeForm: { ...codeForm, email: "ada" }, ...props }))
    .html
const renderConfirm = async (problem: Partial<CodeFormProps> = {}) =>
  (
    await pages.confirm({
      ...form,
      action: "https://app.example/auth/callback/email?token=t",
      email: "ada@example.com",
      homeUrl,
      codeForm: { ...codeForm, ...problem },
      resendForm,
    })
  ).html

const readButtons = (html: string) =>
  findElements(html, "button").map(({ attributes, text }) => [attributes.get("class"), text])
const readCodeField = (html: string) => findElements(html, "input", { name: "code" })[0]?.attributes

describe("the page of the browser that asked", () => {
  test("has a field that phones fill in, above the button for another email", async () => {
    const html = await renderCheckEmail()
    expect(html).toContain("We sent a sign-in link and a code to")
    const field = readCodeField(html)
    expect(field?.get("autocomplete")).toBe("one-time-code")
    expect(field?.get("inputmode")).toBe("numeric")
    expect(findElement(html, "label").attributes.get("for")).toBe(field?.get("id"))
    expect(findElements(html, "form")[0]?.attributes.get("action")).toBe(codeForm.action)
    expect(findElements(html, "input", { name: "email" })[0]?.attributes.get("value")).toBe("ada")
    expect(readButtons(html)).toEqual([
      ["button main", "Sign in"],
      ["button plain", "Send another email"],
    ])
  })

  test("offers another e-mail and another address in the same way", async () => {
    const html = await renderCheckEmail()
    const secondary = findElements(html, "a").find(({ text }) => text === "Use another address")
    expect(secondary?.attributes.get("class")).toBe("button plain")
    expect(secondary?.attributes.get("href")).toBe(link.signInUrl)
  })

  test("writes the number of attempts in the digits of the language", async () => {
    const pagesInPersian = createPages({}, { ...english, tag: "fa" })
    const { html } = await pagesInPersian.verifyRequest({
      homeUrl,
      link,
      codeForm: { ...codeForm, problem: "incorrect", attemptsLeft: 2 },
    })
    expect(findElement(html, "div", { role: "alert" }).text).toContain("Attempts left: ۲.")
  })

  test("says what is wrong with a code, and how many attempts are left", async () => {
    const html = await renderCheckEmail({
      codeForm: { ...codeForm, problem: "incorrect", attemptsLeft: 2 },
    })
    const error = findElement(html, "div", { role: "alert" })
    expect(error.text).toBe("This code is incorrect. Check it and try again. Attempts left: 2.")
    const field = readCodeField(html)
    expect(field?.get("aria-describedby")).toBe(error.attributes.get("id"))
    expect(field?.get("aria-invalid")).toBe("true")
    expect(field?.has("autofocus")).toBe(true)
  })

  test("offers only another email when the code is no longer valid", async () => {
    const html = await renderCheckEmail({ codeForm: { ...codeForm, problem: "invalid" } })
    const error = findElement(html, "div", { role: "alert" })
    expect(error.text).toContain("no longer works")
    expect(error.attributes.has("autofocus")).toBe(true)
    expect(html).not.toContain("a code to")
    expect(readCodeField(html)).toBeUndefined()
    expect(readButtons(html)).toEqual([["button main", "Send another email"]])
  })

  test("has a script and a link to go on only if it can wait", async () => {
    const continueUrl = "https://app.example/auth/verify-request?continue=true"
    const plain = await renderCheckEmail({ codeForm: undefined })
    expect(plain).not.toContain("<script>")
    expect(readButtons(plain)).toEqual([["button", "Send another email"]])
    const { html, contentSecurityPolicy } = await pages.verifyRequest({
      homeUrl,
      link,
      continueUrl,
    })
    expect(findElement(html, "a", { href: continueUrl }).text).toBe("Continue")
    expect(contentSecurityPolicy).toMatch(/script-src 'sha256-.*connect-src 'self'/)
  })
})

describe("the page of another browser", () => {
  test("asks for the code, names the address, and has a way on without a code", async () => {
    const html = await renderConfirm()
    expect(findElement(html, "h1").text).toBe("Enter the code from the email")
    expect(readCodeField(html)?.get("autocomplete")).toBe("one-time-code")
    expect(readButtons(html)).toEqual([
      ["button main", "Continue as ada@example.com"],
      ["button plain", "My email has no code"],
    ])
    const [, withoutCode] = findElements(html, "form")
    expect(withoutCode?.attributes.get("action")).toContain("callback/email?token=t")
  })

  test("explains a missing code, without the button that has just failed", async () => {
    const html = await renderConfirm({ problem: "missing" })
    expect(findElement(html, "div", { role: "alert" }).text).toContain("Without the code")
    expect(readButtons(html)).toEqual([["button main", "Continue as ada@example.com"]])
  })

  test("offers another email when the code is no longer valid", async () => {
    const html = await renderConfirm({ problem: "invalid" })
    expect(findElement(html, "h1").text).toBe("This link no longer works")
    expect(readCodeField(html)).toBeUndefined()
    expect(findElement(html, "form").attributes.get("action")).toBe(resendForm.action)
    expect(readButtons(html)).toEqual([["button main", "Send another email"]])
  })

  test("escapes the address", async () => {
    const email = "<img src=x>@example.com"
    const { html } = await pages.confirm({ ...codeForm, email, homeUrl, codeForm })
    expect(findElements(html, "img")).toEqual([])
    expect(findElement(html, "button", { class: "button main" }).text).toContain(email)
  })
})
