import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { one } from "../pages-markup.ts"
import { postOffice } from "../support/post-office.ts"

describe("94 what opens a link without being a person", () => {
  test("HEAD, as mail scanners send it, does not use it up", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    const link = await office.link(ada)
    const answer = await office.visitor().open(link, { method: "HEAD" })
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
    await ada.open(link)
    expect(await ada.session()).not.toBeNull()
  })

  test.each([
    ["sec-purpose", "prefetch"],
    ["sec-purpose", "prefetch;prerender"],
    ["purpose", "prefetch"],
    ["x-moz", "prefetch"],
    ["x-purpose", "preview"],
  ])("a browser that loads ahead (%s: %s) does not use it up", async (name, value) => {
    const office = await postOffice()
    const ada = office.visitor()
    const link = await office.link(ada)
    const answer = await ada.open(link, { headers: { [name]: value } })
    expect(answer.status).toBe(503)
    expect(await ada.session()).toBeNull()
    await ada.open(link)
    expect(await ada.session()).not.toBeNull()
  })
})

describe("94 with `confirm`, a link", () => {
  test("shows a page, however often it is opened, and is used by its button", async () => {
    const office = await postOffice({}, { confirm: true })
    const link = await office.link(office.visitor(), "ada@example.com", { callbackUrl: "/in" })
    const scanner = office.visitor()
    await scanner.open(link)
    expect(await scanner.session()).toBeNull()

    const ada = office.visitor()
    const page = await ada.open(link)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain("Continue as ada@example.com")
    expect(await ada.session()).toBeNull()
    const action = one(html, "form", { method: "post" }).attributes.get("action") ?? ""
    const csrfToken = one(html, "input", { name: "csrfToken" }).attributes.get("value") ?? ""
    expect(action).toBe(link.href)
    const answer = await ada.post(action, { csrfToken })
    expect(answer.headers.get("location")).toBe("https://app.example/in")
    expect(await ada.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("is not used by a form of another site, nor by one without the token", async () => {
    const office = await postOffice({}, { confirm: true })
    const ada = office.visitor()
    const link = await office.link(ada)
    const csrfToken = await ada.csrf()
    assertRefused(await ada.post(link, { csrfToken }, { from: "https://evil.example" }))
    assertRefused(await ada.post(link, { csrfToken: "0".repeat(64) }))
    assertRefused(await ada.post(link, {}))
    expect(await ada.session()).toBeNull()
    expect(office.rows("VerificationToken")).toHaveLength(1)
  })
})

describe("101 the address of a link", () => {
  test("is that of the request that was trusted, whatever its headers say", async () => {
    const office = await postOffice()
    const ada = office.visitor({
      headers: {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example",
        referer: "https://evil.example/",
      },
    })
    const link = await office.link(ada)
    expect(link.origin).toBe("https://app.example")
    expect(link.pathname).toBe("/auth/callback/nodemailer")
    expect(office.box.messages[0]?.raw).not.toContain("evil.example")
  })

  test("follows the configured base path", async () => {
    const office = await postOffice({ basePath: "/api/auth" })
    const link = await office.link(office.visitor({ basePath: "/api/auth" }))
    expect(link.pathname).toBe("/api/auth/callback/nodemailer")
  })

  test("is never that of one site in the mail of another", async () => {
    const office = await postOffice()
    const origins = ["https://one.example", "https://two.example", "http://localhost:3000"]
    const links = await Promise.all(
      origins.map(async (origin, index) => {
        const asked = await office.ask(office.visitor({ origin }), `ada-${index}@example.com`)
        return new URL(asked.headers.get("location") ?? "").origin
      }),
    )
    expect(links).toEqual(origins)
    for (const mail of office.box.messages) {
      const link = new URL(mail.links[0] ?? "")
      const index = Number(/ada-(\d)/.exec(String(link.searchParams.get("email")))?.[1])
      expect(link.origin).toBe(origins[index])
    }
  })

  test.each([
    ["it is used, or refused", {}, "no-referrer"],
    // With "no-referrer", browsers without Fetch Metadata would send the form with `Origin: null`.
    ["its page is shown", { confirm: true }, "same-origin"],
  ])("goes to no other site when %s", async (_, options, policy) => {
    const office = await postOffice({}, options)
    const ada = office.visitor()
    const link = await office.link(ada)
    for (const answer of [await ada.open(link), await ada.open(link)]) {
      expect(answer.headers.get("referrer-policy")).toBe(policy)
      expect(answer.headers.get("cache-control")).toContain("no-store")
    }
  })
})
