/** The box "Keep me signed in" of the sign-in page, and the page that asks visitors to sign in again. */
import type { AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import google from "@latchkey/core/providers/google"
import webauthn from "@latchkey/core/providers/webauthn"
import { createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { findElement, findElements, parseHtml } from "../support/html-parser.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"

const label = "Keep me signed in"
const userFields = { name: { label: "Name" }, password: { type: "password" } }
const login = credentials({
  credentials: userFields,
  authorize: ({ password }) => (password === "open sesame" ? { id: "ada", name: "Ada" } : null),
})

async function createApp(changes: Partial<TestAppConfig> = {}) {
  const work = await createScriptedProvider({ id: "work" })
  const social = await createScriptedProvider({ id: "social", dialect: "social" })
  const app = createTestApp({
    providers: [login, work.asOidc(), social.asOAuth()],
    session: { rememberMe: true },
    attemptLimits: false,
    ...changes,
  })
  return { app, work, social, browser: app.openBrowser() }
}

const openPage = async (browser: TestBrowser, query = "") =>
  (await browser.open(`/auth/signin${query}`)).text()

/** The boxes of a page, each with the form that it belongs to, and whether it is checked. */
function listBoxes(html: string): string[] {
  let form = ""
  return parseHtml(html).flatMap(({ tag, attributes }) => {
    if (tag === "form") form = attributes.get("id") ?? attributes.get("action") ?? ""
    if (attributes.get("type") !== "checkbox") return []
    return `${form.replace(/^.*\/auth\//, "")}${attributes.has("checked") ? " checked" : ""}`
  })
}

describe("the box", () => {
  test.each([undefined, false])("is on no page with `rememberMe: %s`", async (rememberMe) => {
    const session = rememberMe === undefined ? {} : { rememberMe }
    const { browser } = await createApp({ session })
    const html = await openPage(browser)
    expect(html).not.toMatch(/rememberMe|remember-me/)
    expect(html).not.toContain(label)
    expect(findElements(html, "form")).toHaveLength(3)
  })

  test("is in each form with inputs, and one is for all buttons", async () => {
    const { browser } = await createApp()
    const html = await openPage(browser)
    expect(listBoxes(html)).toEqual(["callback/credentials", "remember-me"])
    expect(findElements(html, "label").filter(({ text }) => text === label)).toHaveLength(2)
    const buttons = findElements(html, "button", { form: "remember-me" })
    expect(buttons.map(({ attributes }) => attributes.get("formaction"))).toEqual([
      "https://app.example/auth/signin/work",
      "https://app.example/auth/signin/social",
    ])
  })

  test("follows a hidden field that says no, so that it works without JavaScript", async () => {
    const html = await openPage((await createApp()).browser)
    const fields = findElements(html, "input", { name: "rememberMe" })
    expect(fields.map(({ attributes }) => attributes.get("type"))).toEqual([
      ...["hidden", "checkbox", "hidden", "checkbox"],
    ])
    expect(fields.map(({ attributes }) => attributes.get("value"))).toEqual([
      ...["false", "true", "false", "true"],
    ])
  })

  test("is checked if the configuration says so", async () => {
    const session: AuthConfig["session"] = { rememberMe: { default: true } }
    const html = await openPage((await createApp({ session })).browser)
    expect(listBoxes(html)).toEqual(["callback/credentials checked", "remember-me checked"])
  })

  test("is not on a page that has only a form with a field of this name", async () => {
    const fields = { ...userFields, rememberMe: { type: "checkbox", label: "Remember" } }
    const own = credentials({ credentials: fields, authorize: () => null })
    const html = await openPage((await createApp({ providers: [own] })).browser)
    expect(html).not.toContain(label)
    expect(findElements(html, "input", { name: "rememberMe" })).toHaveLength(1)
  })

  test("keeps the choice of a sign-in that failed", async () => {
    const { browser } = await createApp()
    const fields = { name: "ada", password: "wrong", rememberMe: "true" }
    const html = await (
      await browser.followRedirect(await browser.signIn("credentials", fields))
    ).text()
    expect(listBoxes(html)).toEqual(["callback/credentials checked", "remember-me checked"])
  })

  test("keeps the choice of a form whose fields name nobody", async () => {
    const fields = { password: { type: "password" } }
    const secretOnly = credentials({ credentials: fields, authorize: () => null })
    const { browser } = await createApp({ providers: [secretOnly] })
    const sent = { password: "wrong", rememberMe: "true" }
    const response = await browser.followRedirect(await browser.signIn("credentials", sent))
    expect(listBoxes(await response.text())).toEqual(["callback/credentials checked"])
    expect(listBoxes(await openPage(browser))).toEqual(["callback/credentials"])
  })

  test.each(["true", "false"])(
    "keeps the choice %s of a sign-in that fails at the provider",
    async (rememberMe) => {
      const { browser, work } = await createApp({
        session: { rememberMe: { default: rememberMe === "false" } },
      })
      work.injectFaults({ response: "iss-other" })
      const response = await browser.followRedirect(await browser.signIn(work, { rememberMe }))
      const mark = rememberMe === "true" ? " checked" : ""
      expect(listBoxes(await response.text()).toSorted()).toEqual([
        `callback/credentials${mark}`,
        `remember-me${mark}`,
      ])
    },
  )

  test("has the choice of the session for a visitor who signs in again", async () => {
    const { browser } = await createApp()
    await browser.signIn("credentials", { name: "a", password: "open sesame", rememberMe: "true" })
    expect(listBoxes(await openPage(browser, "?prompt=login"))).toEqual([
      "callback/credentials checked",
      "remember-me checked",
    ])
  })

  test("is in the form for an address", async () => {
    const app = await createEmailApp({ session: { rememberMe: true } })
    const html = await openPage(app.openBrowser())
    expect(listBoxes(html)).toEqual(["signin/nodemailer"])
  })

  test("is in the forms for passkeys, or that of the buttons", async () => {
    const app = await createPasskeyApp({ session: { rememberMe: true } })
    const html = await openPage(app.openBrowser())
    // A passkey is a button, whose script copies the box; the form for a new one has inputs.
    expect(listBoxes(html).toSorted()).toEqual(["callback/passkey", "remember-me"])
    const named = createTestApp({
      providers: [webauthn({ getUserInfo: async () => null })],
      experimental: { enableWebAuthn: true },
      adapter: app.adapter,
      session: { rememberMe: true },
    })
    expect(listBoxes(await openPage(named.openBrowser()))).toEqual([
      "webauthn-form",
      "callback/webauthn",
    ])
  })

  test("is the same page for the next visitor", async () => {
    const { app } = await createApp()
    const [first, second] = await Promise.all(
      [app.openBrowser(), app.openBrowser()].map(async (browser) => openPage(browser)),
    )
    const mask = (html = "") => html.replaceAll(/(name="csrfToken" value=)"[^"]+"/g, "$1")
    expect(mask(first)).toBe(mask(second))
    expect(findElements(first ?? "", "input", { name: "csrfToken" })).toHaveLength(2)
  })
})

describe("the page with `prompt=login`", () => {
  const getAction = (html: string, provider: string) =>
    parseHtml(html)
      .map(({ attributes }) => attributes.get("action") ?? attributes.get("formaction") ?? "")
      .find((url) => url.includes(`/signin/${provider}`))
      ?.replaceAll("&amp;", "&")

  test.each([false, true])(
    "asks OpenID Connect providers to authenticate again, also a visitor who is signed in (rememberMe: %s)",
    async (rememberMe) => {
      const { browser, work } = await createApp({ session: { rememberMe } })
      await browser.signIn(work)
      expect(await openPage(browser)).toContain("Use another account")
      const html = await openPage(browser, "?prompt=login&callbackUrl=/account")
      expect(getAction(html, "work")).toBe(
        "https://app.example/auth/signin/work?prompt=login&max_age=0",
      )
      expect(getAction(html, "social")).toBe("https://app.example/auth/signin/social")
      const csrfToken = await browser.getCsrfToken()
      const response = await browser.post(getAction(html, "work") ?? "", { csrfToken })
      const { searchParams } = new URL(response.headers.get("location") ?? "")
      expect(searchParams.get("prompt")).toBe("login")
      expect(searchParams.get("max_age")).toBe("0")
      // The page without it stays as it was.
      expect(getAction(await openPage(browser, "?prompt=select_account"), "work")).toBe(
        "https://app.example/auth/signin/work",
      )
    },
  )

  test("leaves a `prompt` of the configuration alone", async () => {
    const work = await createScriptedProvider({ id: "work" })
    const authorization = { params: { prompt: "consent" } }
    const { browser } = await createApp({ providers: [work.asOidc({ authorization })] })
    expect(getAction(await openPage(browser, "?prompt=login"), "work")).toMatch(/work\?max_age=0$/)
  })

  test("asks Google to let the visitor choose, because it refuses `login`", async () => {
    const client = { clientId: "id", clientSecret: "secret" }
    const { browser } = await createApp({ providers: [google(client)] })
    expect(getAction(await openPage(browser, "?prompt=login"), "google")).toMatch(
      /google\?prompt=select_account&max_age=0$/,
    )
  })

  test("passes `prompt=login` on to a page of the application", async () => {
    const { browser } = await createApp({ pages: { signIn: "/welcome" } })
    const response = await browser.fetch("/auth/signin?prompt=login&callbackUrl=/account")
    const url = new URL(response.headers.get("location") ?? "", browser.origin)
    expect(url.pathname).toBe("/welcome")
    expect(Object.fromEntries(url.searchParams)).toEqual({
      callbackUrl: "https://app.example/account",
      prompt: "login",
    })
    const plain = await browser.fetch("/auth/signin?prompt=x&callbackUrl=/account")
    expect(plain.headers.get("location")).not.toContain("prompt")
  })

  test("leads back after the sign-in", async () => {
    const { browser, work } = await createApp()
    const html = await openPage(browser, "?prompt=login&callbackUrl=/account")
    const callbackUrl = findElements(html, "input", { name: "callbackUrl" })[0]?.attributes.get(
      "value",
    )
    const csrfToken = await browser.getCsrfToken()
    const fields = { csrfToken, callbackUrl: callbackUrl ?? "" }
    const begun = await browser.post(getAction(html, "work") ?? "", fields)
    const response = await browser.open(work.approve(new URL(begun.headers.get("location") ?? "")))
    expect(response.headers.get("location")).toBe("https://app.example/account")
    expect(findElement(html, "h1").text).toContain("Sign in")
  })
})
