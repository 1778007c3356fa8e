import credentials from "@latchkey/core/providers/credentials"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createEmailApp, type EmailApp } from "../support/email-app.ts"
import { findElement, findElements, readHtmlShape } from "../support/html-parser.ts"

const pageUrl = "https://app.example/auth/verify-request?provider=nodemailer&type=email"
const cookieName = "__Host-latchkey.requested-link"
const address = "ada@example.com"

/** Lets seconds pass, from now on only when the test says so. */
function useClock() {
  vi.useFakeTimers({ toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
  return (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
}

const openPage = async (browser: TestBrowser) => (await browser.open(pageUrl)).text()

/** Returns the fields of the form that requests the link again. */
const readForm = (html: string) =>
  Object.fromEntries(
    findElements(html, "input").map(({ attributes }) => [
      attributes.get("name"),
      attributes.get("value") ?? "",
    ]),
  )

/** Presses the button of the page, and returns the redirect and the page that it leads to. */
async function resend(browser: TestBrowser) {
  const page = await openPage(browser)
  const action = findElement(page, "form", { method: "post" }).attributes.get("action") ?? ""
  const response = await browser.post(action, readForm(page))
  const next = await browser.followRedirect(response)
  return { response, html: await next.text() }
}

const readNotice = (html: string) => findElements(html, "p", { role: "status" })[0]?.text

async function openApp(...settings: Parameters<typeof createEmailApp>) {
  const app = await createEmailApp(...settings)
  return { app, browser: app.openBrowser() }
}

/** Puts a cookie as the browser would send it. */
function plantCookie(browser: TestBrowser, value: string, name = cookieName): void {
  browser.cookies.delete(name)
  browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)
}

const readCookie = (browser: TestBrowser) =>
  [...browser.cookies].find(({ name }) => name === cookieName)?.value ?? ""

describe("the page after a link was sent", () => {
  test("shows the address, and links to the sign-in page for another one", async () => {
    const { app, browser } = await openApp()
    const response = await app.requestLink(browser, "Ada@Example.com", { callbackUrl: "/notes" })
    expect(response.headers.get("location")).toBe(pageUrl)
    const html = await openPage(browser)
    expect(findElement(html, "strong").text).toBe("Ada@Example.com")
    const links = findElements(html, "a").map(({ attributes }) => attributes.get("href"))
    expect(links).toContain(
      "https://app.example/auth/signin?callbackUrl=https%3A%2F%2Fapp.example%2Fnotes",
    )
    for (const url of [...links, findElement(html, "form").attributes.get("action")])
      expect(url).not.toMatch(/ada/i)
  })

  test("looks the same whether the address belongs to a user or not", async () => {
    const { app, browser } = await openApp()
    await browser.open(await app.receiveLink(browser, address))
    const pages = await Promise.all(
      [address, "eve@example.com"].map(async (email) => {
        const visitor = app.openBrowser()
        const response = await app.requestLink(visitor, email)
        const html = await openPage(visitor)
        const masked = html.replaceAll(email, "…").replaceAll(/name="csrfToken" value="\w+"/g, "")
        return { location: response.headers.get("location"), masked }
      }),
    )
    expect(pages[0]).toEqual(pages[1])
  })

  test("has neither address nor form in another browser", async () => {
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    const html = await openPage(app.openBrowser())
    expect(html).toContain("A sign-in link is on its way.")
    expect(findElements(html, "form")).toEqual([])
    expect(html).not.toContain(address)
  })

  test("shows what was typed, not the address that `normalizeIdentifier` found for it", async () => {
    const normalizeIdentifier = () => "secret@staff.example"
    const { app, browser } = await openApp({}, { normalizeIdentifier })
    await app.requestLink(browser, "<b>ada</b>")
    const html = await openPage(browser)
    expect(findElement(html, "strong").text).toBe("<b>ada</b>")
    expect(html).not.toContain("secret@staff.example")
    expect(app.inbox.messages[0]?.to).toEqual(["secret@staff.example"])
  })

  test("asks for no form when the provider is gone", async () => {
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    Object.assign(app.config, { providers: [] })
    expect(findElements(await openPage(browser), "form")).toEqual([])
  })

  test("redirects to the application's page with the query of before", async () => {
    const { app, browser } = await openApp({ pages: { verifyRequest: "/mail" } })
    await app.requestLink(browser)
    const response = await browser.open(pageUrl)
    expect(response.headers.get("location")).toBe("/mail?provider=nodemailer&type=email")
  })
})

describe("the cookie of the page", () => {
  test("is sealed, for this host only, and ends after 15 minutes", async () => {
    const { app, browser } = await openApp()
    const response = await app.requestLink(browser, address, { callbackUrl: "/notes" })
    const line = response.headers.getSetCookie().find((each) => each.startsWith(cookieName)) ?? ""
    expect(line.split("; ").slice(1).sort()).toEqual(
      ["HttpOnly", "Max-Age=900", "Path=/", "SameSite=Lax", "Secure"].sort(),
    )
    expect(readCookie(browser)).toMatch(/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test("is not accepted after 15 minutes, even if a browser keeps it", async () => {
    const wait = useClock()
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    const value = readCookie(browser)
    wait(899)
    plantCookie(browser, value)
    expect(await openPage(browser)).toContain(address)
    wait(2)
    plantCookie(browser, value)
    expect(await openPage(browser)).not.toContain(address)
  })

  test("has no address after a sign-in", async () => {
    const { app, browser } = await openApp()
    await browser.open(await app.receiveLink(browser))
    browser.cookies.delete("__Secure-authjs.session-token")
    const html = await openPage(browser)
    expect(html).not.toContain(address)
    expect(findElements(html, "form")).toEqual([])
  })

  test.each([300, 2000])("fits with a callback URL of %i characters", async (length) => {
    const { app, browser } = await openApp()
    const callbackUrl = `/${"x".repeat(length - 1)}`
    await app.requestLink(browser, `${"a".repeat(200)}@example.com`, { callbackUrl })
    expect(readCookie(browser).length).toBeGreaterThan(100)
    expect(readCookie(browser).length).toBeLessThan(2500)
    expect(findElements(await openPage(browser), "form")).toHaveLength(1)
  })

  test("is ignored if it was changed, or twice in a request", async () => {
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    const value = readCookie(browser)
    plantCookie(browser, `${value.slice(0, -5)}AAAAA`)
    expect(await openPage(browser)).not.toContain(address)
    const request = new Request(pageUrl, {
      headers: { cookie: `${cookieName}=${value}; ${cookieName}=${value}` },
    })
    expect(await (await app.handle(request)).text()).not.toContain(address)
  })

  test("is not read under the name that a sub-domain can set", async () => {
    const { app, browser } = await openApp()
    const mallory = app.openBrowser()
    await app.requestLink(mallory, "mallory@example.com")
    plantCookie(browser, readCookie(mallory), "latchkey.requested-link")
    const html = await openPage(browser)
    expect(html).not.toContain("mallory")
    expect(findElements(html, "form")).toEqual([])
  })
})

describe("the button for another email", () => {
  const sendAgain = async (app: EmailApp, browser: TestBrowser, wait: (s: number) => unknown) => {
    wait(11)
    const result = await resend(browser)
    return { ...result, count: app.inbox.messages.length }
  }

  test("sends a new link that leads to the same page", async () => {
    const wait = useClock()
    const { app, browser } = await openApp()
    const first = await app.receiveLink(browser, address, { callbackUrl: "/notes" })
    const { response, html, count } = await sendAgain(app, browser, wait)
    expect(response.headers.get("location")).toBe(pageUrl)
    expect(readNotice(html)).toBe("We sent another email. Use the newest one.")
    expect(findElement(html, "strong").text).toBe(address)
    expect(count).toBe(2)
    const link = app.inbox.getLatestLink()
    expect(link).not.toBe(first.href)
    const signedIn = await browser.open(link)
    expect(signedIn.headers.get("location")).toBe("https://app.example/notes")
  })

  test("sends nothing within ten seconds, and says so", async () => {
    const wait = useClock()
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    wait(9)
    const { response, html } = await resend(browser)
    expect(response.headers.get("location")).toBe(pageUrl)
    expect(readNotice(html)).toContain("We sent an email a moment ago.")
    expect(app.inbox.messages).toHaveLength(1)
    wait(2)
    expect(readNotice((await resend(browser)).html)).toContain("We sent another email.")
    expect(app.inbox.messages).toHaveLength(2)
  })

  test("sends to another address at once", async () => {
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    await app.requestLink(browser, "eve@example.com", { resend: "true" })
    expect(app.inbox.messages.map(({ to }) => to[0])).toEqual([address, "eve@example.com"])
    expect(findElement(await openPage(browser), "strong").text).toBe("eve@example.com")
  })

  test("is limited like every request for a link, and the page says so", async () => {
    const wait = useClock()
    const { app, browser } = await openApp({
      attemptLimits: { "email-request": { identifier: { max: 5, window: 600 } } },
    })
    await app.requestLink(browser)
    for (let count = 2; count <= 5; count += 1)
      expect((await sendAgain(app, browser, wait)).count).toBe(count)
    const { response, html, count } = await sendAgain(app, browser, wait)
    expect(count).toBe(5)
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/verify-request?error=TooManyRequests",
    )
    expect(readNotice(html)).toContain("Too many emails were requested.")
    expect(findElement(html, "strong").text).toBe(address)
    expect(app.log.errorCodes()).toEqual(["TooManyRequests"])
  })

  test("leads to the sign-in page at the limit if the application has its own page", async () => {
    const { app, browser } = await openApp({
      pages: { verifyRequest: "/mail" },
      rateLimit: () => false,
    })
    const response = await app.requestLink(browser, address, { resend: "true" })
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=TooManyRequests",
    )
  })

  test("is meant only where links are requested, not by a field of another form", async () => {
    const password = credentials({
      credentials: { name: {}, resend: {} },
      authorize: () => null,
    })
    const { browser } = await openApp({
      providers: [password],
      session: { strategy: "jwt" },
      rateLimit: () => false,
    })
    const response = await browser.signIn("credentials", { name: "ada", resend: "true" })
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=TooManyRequests",
    )
  })

  test("needs the CSRF token of this browser", async () => {
    const wait = useClock()
    const { app, browser } = await openApp()
    await app.requestLink(browser)
    wait(11)
    const page = await openPage(browser)
    const form = { ...readForm(page), csrfToken: await app.openBrowser().getCsrfToken() }
    await browser.post("/auth/signin/nodemailer", form, { from: "https://evil.example" })
    expect(app.inbox.messages).toHaveLength(1)
  })

  test("has the same page whether the address belongs to a user or not", async () => {
    const wait = useClock()
    const { app, browser } = await openApp()
    await browser.open(await app.receiveLink(browser, address))
    const shapes: string[][] = []
    for (const email of [address, "eve@example.com"]) {
      const visitor = app.openBrowser()
      await app.requestLink(visitor, email)
      wait(11)
      shapes.push(readHtmlShape((await resend(visitor)).html))
    }
    expect(shapes[0]).toEqual(shapes[1])
  })
})
