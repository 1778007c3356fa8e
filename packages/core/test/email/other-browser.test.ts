/** Links that are opened in a browser that did not request them: by another site, a scanner, or on a second device. */
import loops from "@latchkey/core/providers/loops"
import nodemailer from "@latchkey/core/providers/nodemailer"
import resend from "@latchkey/core/providers/resend"
import { assertRefused, getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp, type EmailApp } from "../support/email-app.ts"
import { findElements } from "../support/html-parser.ts"
import { confirmLink } from "../support/open-link.ts"

const markerPrefix = "__Host-authjs.email-request."

const listMarkers = ({ cookies }: TestBrowser) =>
  cookies.names.filter((name) => name.startsWith(markerPrefix))

async function signInAs(app: EmailApp, browser: TestBrowser, address: string): Promise<void> {
  await browser.open(await app.receiveLink(browser, address))
  expect(await getAddress(browser)).toBe(address)
}

async function getAddress(browser: TestBrowser): Promise<unknown> {
  return (await browser.getSession())?.user?.email ?? null
}

describe("a link in a browser that did not request it", () => {
  test.each([
    ["by another site", { from: "https://evil.example" }],
    ["by hand", {}],
  ])("does not replace the session when it is opened %s", async (_, options) => {
    const app = await createEmailApp()
    const victim = app.openBrowser()
    await signInAs(app, victim, "bob@example.com")
    const link = await app.receiveLink(app.openBrowser(), "mallory@example.com")
    const page = await victim.open(link, options)
    expect(page.status).toBe(200)
    expect(await getAddress(victim)).toBe("bob@example.com")
    expect(app.rows("VerificationToken")).toHaveLength(1)
  })

  test("shows a page that names both users, and is used by its button", async () => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    await signInAs(app, browser, "bob@example.com")
    const link = await app.receiveLink(app.openBrowser(), "ada@example.com", {
      callbackUrl: "/in",
    })
    const page = await browser.open(link)
    const html = await page.clone().text()
    expect(html).toContain("Continue as <bdi>ada@example.com</bdi>")
    expect(html).toContain("You are signed in as <strong><bdi>bob@example.com</bdi></strong>")
    const response = await confirmLink(browser, page)
    expect(response.headers.get("location")).toBe("https://app.example/in")
    expect(await getAddress(browser)).toBe("ada@example.com")
  })

  test("names no other user if nobody is signed in", async () => {
    const app = await createEmailApp()
    const page = await app.openBrowser().open(await app.receiveLink(app.openBrowser()))
    expect(await page.text()).not.toContain("You are signed in")
  })

  test("is not used by a form of another site", async () => {
    const app = await createEmailApp()
    const victim = app.openBrowser()
    const link = await app.receiveLink(app.openBrowser(), "mallory@example.com")
    const csrfToken = await victim.getCsrfToken()
    assertRefused(await victim.post(link, { csrfToken }, { from: "https://evil.example" }))
    expect(await victim.getSession()).toBeNull()
  })

  test("is refused without a page when it has another text in place of an address", async () => {
    const app = await createEmailApp()
    const url = new URL(await app.receiveLink(app.openBrowser()))
    url.searchParams.set("email", "Your account is suspended. Call +1 555 0100")
    const response = await app.openBrowser().open(url)
    expect(getRedirectError(response)).toBe("Verification")
    expect(await response.text()).not.toContain("suspended")
  })

  test("is refused without a page when it is incomplete", async () => {
    const app = await createEmailApp()
    const response = await app.openBrowser().open("/auth/callback/nodemailer?token=abc")
    expect(response.headers.get("location")).toContain("error=Verification")
  })
})

describe("in a process that has sent no e-mail yet, the page of a link", () => {
  const options = { apiKey: "key", server: "smtp://mail.example", transactionalId: "1" }
  test.each([
    ["Nodemailer", nodemailer(options), 1],
    ["Resend", resend(options), 1],
    ["Loops, in an e-mail that shows it", loops({ ...options, sendsCode: true }), 1],
    ["Loops, in an e-mail without it", loops(options), 0],
  ])("has a field for the code if one is sent by %s", async (_, provider, fields) => {
    const app = await createEmailApp({ providers: [provider] })
    const query = new URLSearchParams({ token: "0".repeat(64), email: "ada@example.com" })
    const page = await app.openBrowser().open(`/auth/callback/${provider.id}?${query}`)
    expect(findElements(await page.text(), "input", { name: "code" })).toHaveLength(fields)
  })
})

describe("the marker cookie of a request", () => {
  test("can be set by this host only, and not be read by scripts", async () => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    const response = await app.requestLink(browser)
    const cookie = response.headers.getSetCookie().find((each) => each.startsWith(markerPrefix))
    expect(cookie).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
    expect(cookie).not.toContain("Domain")
  })

  test("lets each of several requests sign in at once, in any order", async () => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    const addresses = ["a@example.com", "b@example.com", "a@example.com"]
    const links: URL[] = []
    for (const address of addresses) links.push(await app.receiveLink(browser, address))
    for (const index of [1, 2, 0]) {
      await browser.open(links[index] ?? "")
      expect(await getAddress(browser)).toBe(addresses[index])
    }
  })

  test("counts for its own link only", async () => {
    const app = await createEmailApp()
    const victim = app.openBrowser()
    await app.receiveLink(victim, "bob@example.com")
    const others = [
      await app.receiveLink(app.openBrowser(), "mallory@example.com"),
      await app.receiveLink(app.openBrowser(), "bob@example.com"),
    ]
    for (const link of others) {
      expect((await victim.open(link)).status).toBe(200)
      expect(await victim.getSession()).toBeNull()
    }
  })

  test("counts for nothing under the name of another link", async () => {
    const app = await createEmailApp()
    const mallory = app.openBrowser()
    const link = await app.receiveLink(mallory, "mallory@example.com")
    const victim = app.openBrowser()
    await app.receiveLink(victim, "bob@example.com")
    const [own = ""] = listMarkers(victim)
    const value = [...victim.cookies].find(({ name }) => name === own)?.value ?? ""
    const [other = ""] = listMarkers(mallory)
    victim.cookies.setUnchecked("https://app.example", `${other}=${value}; Path=/; Secure`)
    expect((await victim.open(link)).status).toBe(200)
    expect(await victim.getSession()).toBeNull()
  })

  test("is one of eight at most, of which a new one replaces the oldest", async () => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    const first = await app.receiveLink(browser, "a0@example.com")
    const [oldest] = listMarkers(browser)
    for (let index = 1; index <= 9; index++) await app.receiveLink(browser, `a${index}@example.com`)
    expect(listMarkers(browser).length).toBeLessThanOrEqual(8)
    expect(listMarkers(browser)).not.toContain(oldest)
    expect((await browser.open(first)).status).toBe(200)
  })

  test("expires an hour after the link", async () => {
    const app = await createEmailApp({}, { maxAge: 600 })
    const response = await app.requestLink(app.openBrowser())
    const cookie = response.headers.getSetCookie().find((each) => each.startsWith(markerPrefix))
    const expires = Date.parse(/Expires=([^;]+)/.exec(cookie ?? "")?.[1] ?? "")
    expect(Math.abs(expires - Date.now() - 4_200_000)).toBeLessThan(5000)
  })

  test("is not set when the e-mail could not be sent", async () => {
    const app = await createEmailApp()
    app.inbox.injectFault("reject-recipient")
    const browser = app.openBrowser()
    await app.requestLink(browser)
    expect(listMarkers(browser)).toEqual([])
  })

  test("stays valid while the secret changes", async () => {
    const [old, next] = ["the old secret of this application", "the new secret of this application"]
    const app = await createEmailApp({ secret: old })
    const browser = app.openBrowser()
    const link = await app.receiveLink(browser)
    app.config.secret = [next, old]
    await browser.open(link)
    expect(await getAddress(browser)).toBe("ada@example.com")
  })

  test("does not tell what a short token is", async () => {
    const names: (readonly string[])[] = []
    for (const code of ["123456", "654321"]) {
      const app = await createEmailApp({}, { generateVerificationToken: () => code })
      const browser = app.openBrowser()
      await app.receiveLink(browser)
      names.push(listMarkers(browser))
    }
    expect(names[0]).toEqual(names[1])
  })
})
