/** Security cases 128–132: hostile text in the query of a page. */
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import {
  findElement,
  findElements,
  parseHtml,
  readHtmlShape,
  readStylesheet,
} from "../support/html-parser.ts"
import { openLink } from "../support/open-link.ts"
import { createTestApp } from "../support/test-app.ts"

const origin = "https://app.example"
const breakouts = [
  `"><script>alert(1)</script>`,
  `</style><script>alert(1)</script>`,
  `'onfocus='alert(1)' autofocus='`,
  `" onfocus="alert(1)`,
  "<!--",
  "]]>",
  "javascript:alert(1)",
  "&quot;&gt;&lt;script&gt;",
  "red;}*{background:url(https://evil.example)}",
  `</button></form><form action="https://evil.example">`,
]
/** The built-in pages; the last one asks whether to use an e-mail link. */
const pages = ["signin", "signout", "error", "verify-request", "callback/nodemailer"]
const linkQuery = { token: "0".repeat(64), email: "ada@example.com" }
/** A link without an address is refused, so that its page shows only what an address may contain. */
const toLinkAddress = (text: string) => text.replace(/[\s<>",;]/g, "")

async function createSite() {
  const app = await createEmailApp()
  const password = credentials({
    credentials: { name: { label: "Name" }, password: { type: "password" } },
    authorize: ({ name }) => (name ? { id: "1", name: String(name) } : null),
  })
  const session = { strategy: "jwt" } as const
  return createTestApp({ ...app.config, session, providers: [...app.config.providers, password] })
}

/** Returns a session, for the page that only signed-in visitors get. */
async function readSessionCookie(app: Site): Promise<string> {
  const browser = app.openBrowser()
  await browser.signIn("credentials", { name: "Ada", password: "any" })
  const name = "__Secure-authjs.session-token"
  return `${name}=${browser.cookies.get(name)?.value}`
}

type Site = Awaited<ReturnType<typeof createSite>>

async function fetchPage(app: Site, name: string, query: Record<string, string> = {}) {
  const headers = name === "signout" ? { cookie: await readSessionCookie(app) } : {}
  const url = `${origin}/auth/${name}?${new URLSearchParams({ ...linkQuery, ...query })}`
  const response = await app.handle(new Request(url, { headers }))
  return { response, html: await response.text() }
}

describe.each(pages)("the page %s", (name) => {
  const parameters = [
    "error",
    "callbackUrl",
    "email",
    "token",
    "code",
    "provider",
    "type",
    "title",
    "user",
  ]

  test("contains its query only as text, and is otherwise the same", async () => {
    const app = await createSite()
    const isLink = name === "callback/nodemailer"
    const query = (value: string) => {
      const fields = Object.fromEntries(parameters.map((each) => [each, value]))
      const token = value + linkQuery.token
      return isLink ? { ...fields, token, email: toLinkAddress(value) } : fields
    }
    const plain = await fetchPage(app, name, query("plain"))
    for (const text of breakouts) {
      const { response, html } = await fetchPage(app, name, query(text))
      expect(response.status).toBe(plain.response.status)
      expect(readHtmlShape(html)).toEqual(readHtmlShape(plain.html))
      expect(readStylesheet(html)).toBe(readStylesheet(plain.html))
    }
  })

  test("has its own token, forms and appearance, whatever the query", async () => {
    const app = await createSite()
    const hostile = {
      csrfToken: "f".repeat(64),
      providers: "x",
      theme: '{"logo":"https://evil.example/logo.png"}',
      logo: "https://evil.example/logo.png",
      brandColor: "red",
      action: "https://evil.example",
      signinUrl: "https://evil.example",
      signInUrl: "https://evil.example",
      homeUrl: "https://evil.example",
      url: "https://evil.example",
      status: "204",
      __proto__: "x",
      constructor: "x",
    }
    const { response, html } = await fetchPage(app, name, hostile)
    const plain = await fetchPage(app, name)
    expect(response.status).toBe(plain.response.status)
    for (const { attributes } of findElements(html, "form"))
      expect(new URL(attributes.get("action") ?? "").origin).toBe(origin)
    // The form that uses a link is sent to the link itself.
    const otherHtml = html.replace(/ action="[^"]*"/g, "")
    expect(otherHtml).not.toContain("evil.example")
    expect(otherHtml).not.toContain("f".repeat(64))
    expect(readHtmlShape(html)).toEqual(readHtmlShape(plain.html))
    const cookie = decodeURIComponent(response.headers.getSetCookie().join("\n"))
    for (const { attributes } of findElements(html, "input", { name: "csrfToken" })) {
      expect(cookie).toContain(`csrf-token=${attributes.get("value")}|`)
    }
  })

  test("cannot be framed, sniffed, cached or scripted", async () => {
    const { headers } = (await fetchPage(await createSite(), name)).response
    const policy = headers.get("content-security-policy")?.split("; ") ?? []
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy.filter((directive) => /unsafe|\*|script-src/.test(directive))).toEqual([])
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("referrer-policy")).toBe("same-origin")
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
    expect(headers.get("cache-control")).toContain("no-store")
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
  })

  test("loads nothing", async () => {
    const { html } = await fetchPage(await createSite(), name)
    const loading = [
      "script",
      "link",
      "iframe",
      "object",
      "embed",
      "img",
      "video",
      "audio",
      "source",
    ]
    const loadingElements = parseHtml(html).filter(({ tag }) => loading.includes(tag))
    expect(loadingElements.map(({ attributes }) => attributes.get("href"))).toEqual(["data:,"])
    expect(readStylesheet(html)).not.toMatch(/url\(|@import/)
  })
})

describe("the values that a page shows", () => {
  test("are shown unchanged", async () => {
    const app = await createSite()
    for (const text of breakouts) {
      const { html } = await fetchPage(app, "signin", { email: text, error: "CredentialsSignin" })
      findElement(html, "input", { name: "email", value: text })
    }
  })

  test("a callback URL is within the site, or else the origin", async () => {
    const app = await createSite()
    for (const text of [...breakouts, "https://evil.example", "//evil.example"]) {
      const { html } = await fetchPage(app, "signin", { callbackUrl: text })
      for (const { attributes } of findElements(html, "input", { name: "callbackUrl" })) {
        expect(new URL(attributes.get("value") ?? "").origin).toBe(origin)
      }
    }
  })
})

describe("an error in the query", () => {
  const names = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "prototype",
    "0",
    "null",
    "undefined",
  ]

  test.each(names)("%s is an unknown error", async (error) => {
    const app = await createSite()
    for (const name of ["signin", "error"]) {
      const known = await fetchPage(app, name, { error })
      const unknown = await fetchPage(app, name, { error: "NobodyKnowsThis" })
      expect(known.response.status).toBe(unknown.response.status)
      // Only the token differs between responses.
      const withoutToken = (html: string) => html.replace(/[0-9a-f]{64}/g, "")
      expect(withoutToken(known.html)).toBe(withoutToken(unknown.html))
    }
  })

  test.each([
    ["Configuration", 500],
    ["AccessDenied", 403],
    ["Verification", 403],
    ["TooManyRequests", 429],
    ["OAuthCallbackError", 200],
  ])("%s has status %d", async (error, status) => {
    expect((await fetchPage(await createSite(), "error", { error })).response.status).toBe(status)
  })
})

test("every response that sets a cookie has `no-store`", async () => {
  const app = await createSite()
  const browser = app.openBrowser()
  const csrfToken = await browser.getCsrfToken()
  const responses = [
    await browser.fetch("/auth/csrf"),
    await browser.open("/auth/signin?callbackUrl=/a"),
    await browser.post("/auth/signin/nodemailer", {
      csrfToken,
      email: "ada@example.com",
      callbackUrl: "/b",
    }),
    await browser.post("/auth/signout", { csrfToken, callbackUrl: "/c" }),
    await browser.open("/auth/callback/nodemailer?token=x&email=y"),
    await openLink(browser, "/auth/callback/nodemailer?token=x&email=y"),
  ]
  expect(
    responses.filter(({ headers }) => headers.getSetCookie().length > 0).length,
  ).toBeGreaterThan(2)
  for (const { headers } of responses) {
    expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  }
})

test("values in theme and providers add no markup", async () => {
  const { config } = await createSite()
  for (const text of breakouts) {
    const password = credentials({
      name: text,
      credentials: { name: { label: text, placeholder: text, value: text, onfocus: text } },
      authorize: () => null,
    })
    const theme = { logo: text, brandColor: text, buttonText: text }
    const { html } = await fetchPage(
      createTestApp({ ...config, providers: [password], theme }),
      "signin",
    )
    expect(findElements(html, "script")).toEqual([])
    expect(parseHtml(html).filter(({ attributes }) => attributes.has("onfocus"))).toEqual([])
    expect(readStylesheet(html)).not.toContain("evil.example")
    findElement(html, "input", { name: "name", placeholder: text })
  }
})
