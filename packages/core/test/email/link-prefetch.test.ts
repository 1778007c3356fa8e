import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { findElement } from "../support/html-parser.ts"

describe("a request that no user made", () => {
  test("with HEAD, as mail scanners send it, does not consume the link", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    const response = await app.openBrowser().open(link, { method: "HEAD" })
    expect(response.status).toBe(405)
    expect(response.headers.getSetCookie()).toEqual([])
    await ada.open(link)
    expect(await ada.getSession()).not.toBeNull()
  })

  test.each([
    ["sec-purpose", "prefetch"],
    ["sec-purpose", "prefetch;prerender"],
    ["purpose", "prefetch"],
    ["x-moz", "prefetch"],
    ["x-purpose", "preview"],
  ])("of a browser that prefetches (%s: %s) does not consume the link", async (name, value) => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    const response = await ada.open(link, { headers: { [name]: value } })
    expect(response.status).toBe(503)
    expect(await ada.getSession()).toBeNull()
    await ada.open(link)
    expect(await ada.getSession()).not.toBeNull()
  })
})

describe("with `confirm`, a link", () => {
  test("shows a page, however often it is opened, and its button consumes the link", async () => {
    const app = await createEmailApp({}, { confirm: true })
    const link = await app.receiveLink(app.openBrowser(), "ada@example.com", { callbackUrl: "/in" })
    const scanner = app.openBrowser()
    await scanner.open(link)
    expect(await scanner.getSession()).toBeNull()

    const ada = app.openBrowser()
    const page = await ada.open(link)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain("Continue as <bdi>ada@example.com</bdi>")
    expect(await ada.getSession()).toBeNull()
    const action = findElement(html, "form", { method: "post" }).attributes.get("action") ?? ""
    const csrfToken =
      findElement(html, "input", { name: "csrfToken" }).attributes.get("value") ?? ""
    expect(action).toBe(link.href)
    const response = await ada.post(action, { csrfToken })
    expect(response.headers.get("location")).toBe("https://app.example/in")
    expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("is not consumed by a form of another site, nor by one without the token", async () => {
    const app = await createEmailApp({}, { confirm: true })
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    const csrfToken = await ada.getCsrfToken()
    assertRefused(await ada.post(link, { csrfToken }, { from: "https://evil.example" }))
    assertRefused(await ada.post(link, { csrfToken: "0".repeat(64) }))
    assertRefused(await ada.post(link, {}))
    expect(await ada.getSession()).toBeNull()
    expect(app.rows("VerificationToken")).toHaveLength(1)
  })
})

describe("the URL of a link", () => {
  test("has the trusted origin of the request, whatever its headers say", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser({
      headers: {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example",
        referer: "https://evil.example/",
      },
    })
    const link = await app.receiveLink(ada)
    expect(link.origin).toBe("https://app.example")
    expect(link.pathname).toBe("/auth/callback/nodemailer")
    expect(app.inbox.messages[0]?.raw).not.toContain("evil.example")
  })

  test("has the configured base path", async () => {
    const app = await createEmailApp({ basePath: "/api/auth" })
    const link = await app.receiveLink(app.openBrowser({ basePath: "/api/auth" }))
    expect(link.pathname).toBe("/api/auth/callback/nodemailer")
  })

  test("never has the host of another request", async () => {
    const app = await createEmailApp()
    const origins = ["https://one.example", "https://two.example", "http://localhost:3000"]
    const links = await Promise.all(
      origins.map(async (origin, index) => {
        const asked = await app.requestLink(app.openBrowser({ origin }), `ada-${index}@example.com`)
        return new URL(asked.headers.get("location") ?? "").origin
      }),
    )
    expect(links).toEqual(origins)
    for (const mail of app.inbox.messages) {
      const link = new URL(mail.links[0] ?? "")
      const index = Number(/ada-(\d)/.exec(String(link.searchParams.get("email")))?.[1])
      expect(link.origin).toBe(origins[index])
    }
  })

  test.each([
    ["it is used, or refused", {}, "no-referrer"],
    // With "no-referrer", browsers without Fetch Metadata would send the form with `Origin: null`.
    ["its page is shown", { confirm: true }, "same-origin"],
  ])("is not sent to other sites as a referrer when %s", async (_, options, policy) => {
    const app = await createEmailApp({}, options)
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    for (const response of [await ada.open(link), await ada.open(link)]) {
      expect(response.headers.get("referrer-policy")).toBe(policy)
      expect(response.headers.get("cache-control")).toContain("no-store")
    }
  })
})
