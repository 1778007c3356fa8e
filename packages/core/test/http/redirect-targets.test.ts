/** Security cases 12, 13, 15 and 17: links in mails, sign-out, errors, and the application's own pages. */
import nodemailer from "@latchkey/core/providers/nodemailer"
import { createMailbox, type Mailbox } from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callbackUrlCookie } from "../support/callback-url-inputs.ts"
import { findElement, findElements } from "../support/html-parser.ts"
import { confirmLink, openLink } from "../support/open-link.ts"
import { openSignedIn } from "../support/signed-in-page.ts"
import {
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

const callbackUrlEdits = [
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "https://app.example.evil.example",
  "https://app.example@evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://[bad",
]

describe("a sign-in link", () => {
  let post: Mailbox
  beforeAll(async () => {
    post = await createMailbox()
  })
  afterAll(() => post.close())

  const mailed = async (confirm: boolean) => {
    const made = await createTestSite({ providers: [nodemailer({ server: post.server, confirm })] })
    const alice = made.openBrowser()
    await alice.signIn("nodemailer", { email: "ada@example.com", callbackUrl: "/inbox" })
    const { links, code } = await post.waitForMail()
    return { ...made, alice, link: new URL(links[0] ?? ""), code }
  }

  test("redirects to the requested URL", async () => {
    const { alice, link } = await mailed(false)
    expect(link.searchParams.get("callbackUrl")).toBe(`${siteOrigin}/inbox`)
    expect((await alice.open(link)).headers.get("location")).toBe(`${siteOrigin}/inbox`)
  })

  test.each(callbackUrlEdits)(
    "redirects within the site if the recipient edits it to %s",
    async (edit) => {
      const { openBrowser, link, code } = await mailed(false)
      link.searchParams.set("callbackUrl", edit)
      const bob = openBrowser()
      const response = await openLink(bob, link, code)
      expect(response.headers.get("location")).toBe(siteOrigin)
      expect(decodeURIComponent(bob.cookies.get(callbackUrlCookie)?.value ?? "")).toBe(siteOrigin)
      expect(await bob.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    },
  )

  test.each(callbackUrlEdits)(
    "redirects within the site after the button is pressed: %s",
    async (edit) => {
      const { openBrowser, link, code } = await mailed(true)
      link.searchParams.set("callbackUrl", edit)
      const bob = openBrowser()
      const page = await bob.open(link)
      for (const form of findElements(await page.clone().text(), "form"))
        expect(new URL(form.attributes.get("action") ?? "").origin).toBe(siteOrigin)
      const response = await confirmLink(bob, page, code)
      expect(response.headers.get("location")).toBe(siteOrigin)
    },
  )
})

describe("sign-out", () => {
  test.each(callbackUrlEdits)(
    "ends the session and redirects within the site: %s",
    async (callbackUrl) => {
      const { openBrowser } = createMinimalSite()
      const alice = openBrowser()
      await alice.signIn("credentials", validCredentials)
      const response = await alice.signOut({ callbackUrl })
      expect([response.status, response.headers.get("location")]).toEqual([302, siteOrigin])
      expect(await alice.getSession()).toBeNull()
    },
  )

  test.each(callbackUrlEdits)(
    "has a page whose form and link stay within the site: %s",
    async (callbackUrl) => {
      const { config } = createMinimalSite()
      const query = new URLSearchParams({ callbackUrl })
      const page = await (await openSignedIn(config, `/auth/signout?${query}`)).text()
      expect(findElement(page, "form").attributes.get("action")).toBe(`${siteOrigin}/auth/signout`)
      expect(findElements(page, "a").map(({ attributes }) => attributes.get("href"))).toEqual([
        siteOrigin,
      ])
    },
  )
})

describe("a custom error page", () => {
  const hostile = [
    "x&admin=1",
    "x#fragment",
    "x\r\nSet-Cookie: a=b",
    "x y+z%20",
    "//evil.example",
    "AccessDenied&error=Configuration",
    "é😀\u0000",
  ]

  test.each(["/oops", "/oops?theme=dark", "https://errors.example/oops?x=1"])(
    "receives the error as one encoded parameter: %s",
    async (page) => {
      const { config } = createMinimalSite({ pages: { error: page } })
      const own = new URL(page, siteOrigin)
      for (const error of hostile) {
        const response = await sendRequest(config, `/auth/error?${new URLSearchParams({ error })}`)
        expect(response.status).toBe(302)
        const to = new URL(response.headers.get("location") ?? "", siteOrigin)
        expect([to.origin, to.pathname, to.hash]).toEqual([own.origin, own.pathname, ""])
        const expected = [...own.searchParams, ["error", error]]
        expect([...to.searchParams]).toEqual(expected)
      }
    },
  )

  test("receives no error if there is none", async () => {
    const { config } = createMinimalSite({ pages: { error: "/oops" } })
    expect((await sendRequest(config, "/auth/error")).headers.get("location")).toBe("/oops")
  })

  test("the sign-in page receives error, code and callback URL as one encoded parameter each", async () => {
    const { config } = createMinimalSite({ pages: { signIn: "/login?lang=en#form" } })
    for (const text of hostile) {
      const query = new URLSearchParams({ error: text, code: text, callbackUrl: "/a?b=c&d#e" })
      const response = await sendRequest(config, `/auth/signin?${query}`)
      const to = new URL(response.headers.get("location") ?? "", siteOrigin)
      expect([to.pathname, to.hash]).toEqual(["/login", "#form"])
      expect([...to.searchParams].sort()).toEqual([
        ["callbackUrl", `${siteOrigin}/a?b=c&d#e`],
        ["code", text],
        ["error", text],
        ["lang", "en"],
      ])
    }
  })
})

describe("custom pages on another site", () => {
  const pages = {
    signIn: "https://login.example/in",
    signOut: "https://login.example/out",
    error: "https://login.example/oops",
    verifyRequest: "https://login.example/mail",
    newUser: "https://login.example/welcome",
  }

  test.each([
    ["signin", "/in"],
    ["signout", "/out"],
    ["error", "/oops"],
    ["verify-request", "/mail"],
  ])("%s redirects there, because the application configured it", async (action, path) => {
    const { config } = createMinimalSite({ pages })
    const response = await sendRequest(config, `/auth/${action}`)
    const to = new URL(response.headers.get("location") ?? "")
    expect([response.status, to.origin, to.pathname]).toEqual([302, "https://login.example", path])
  })

  test("a new user is redirected there", async () => {
    const { openBrowser, provider } = await createTestSite({ pages })
    const alice = openBrowser()
    const first = await alice.signIn(provider)
    const welcome = `https://login.example/welcome?callbackUrl=${encodeURIComponent(siteOrigin)}`
    expect(first.headers.get("location")).toBe(welcome)
    expect((await alice.signIn(provider)).headers.get("location")).toBe(siteOrigin)
  })

  test("a failed sign-in is redirected there", async () => {
    const { openBrowser } = createMinimalSite({ pages })
    const response = await openBrowser().signIn("credentials", {
      ...validCredentials,
      word: "open",
    })
    const query = "error=CredentialsSignin&code=credentials"
    const callbackUrl = encodeURIComponent(siteOrigin)
    expect(response.headers.get("location")).toBe(
      `https://login.example/in?${query}&callbackUrl=${callbackUrl}`,
    )
  })

  test.each(["signin", "signout", "error", "verify-request"])(
    "no request can set a page: %s",
    async (action) => {
      const { config } = createMinimalSite()
      const names = ["pages", "pages.signIn", "signIn", "page", "redirectTo", "url", "next"]
      const query = new URLSearchParams(names.map((name) => [name, "https://evil.example"]))
      const response = await openSignedIn(config, `/auth/${action}?${query}`)
      expect(response.headers.get("location")).toBeNull()
      expect(await response.text()).not.toContain("evil.example")
    },
  )
})
