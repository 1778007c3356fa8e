import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createPages, type Page, type PageProvider } from "../../src/pages/pages.ts"
import type { Theme } from "../../src/types.ts"
import {
  findElement,
  findElements,
  parseHtml,
  readHtmlShape,
  readStylesheet,
} from "../support/html-parser.ts"

const callbackUrl = "https://app.example/dashboard"
const action = "https://app.example/auth/signin/x"
const urls = { signInUrl: "https://app.example/auth/signin", homeUrl: "https://app.example/" }

const breakouts = [
  `"><script>alert(1)</script>`,
  "</style><script>alert(1)</script>",
  "'onfocus='alert(1)' autofocus='",
  `" onfocus="alert(1)`,
  "<!--",
  "]]>",
  "&lt;script&gt;",
  "javascript:alert(1)",
  "red;}*{background:url(https://evil.example)}",
  "@import 'https://evil.example';",
  "\u0000\u2028`{x}`\\",
]
const hostileString = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...breakouts),
  fc.tuple(fc.string(), fc.constantFrom(...breakouts), fc.string()).map((parts) => parts.join("")),
)
/** Texts that are there: whether a prop is present may change a page, what it says may not. */
const hostileText = hostileString.map((value) => `x${value}`)

function createProvider(props: Partial<PageProvider>): PageProvider {
  return { id: "x", name: "X", type: "oauth", action, ...props }
}

function renderSignIn(providers: PageProvider[], theme: Theme = {}): Promise<Page> {
  return createPages(theme).signIn({ providers, csrfToken: "token", callbackUrl })
}

/** Every page, each of its texts made by `value`. */
async function renderEveryPage(
  value: (name: string) => string,
  theme: Theme = {},
): Promise<Page[]> {
  const pages = createPages(theme)
  const fields = { a: { label: value("label"), placeholder: value("hint"), value: value("value") } }
  const providers = [
    createProvider({ id: value("id"), name: value("name"), action: value("action") }),
    createProvider({
      id: value("mail"),
      name: value("name"),
      type: "email",
      action: value("action"),
    }),
    createProvider({ name: value("name"), type: "credentials", action: value("action"), fields }),
    createProvider({ id: value("key"), name: value("name"), type: "webauthn", fields }),
  ]
  const email = value("email")
  const csrfToken = value("csrfToken")
  const target = `/${value("callbackUrl")}`
  const links = { signInUrl: value("signInUrl"), homeUrl: value("homeUrl") }
  const error = `none of ours ${value("error")}`
  const code = `not a code ${value("code")}`
  return Promise.all([
    pages.signIn({ providers, csrfToken, callbackUrl: target, error, code, email }),
    pages.signOut({ csrfToken, action: value("action"), callbackUrl: target, user: value("user") }),
    pages.error({ error, ...links }),
    pages.error({ error: "AccessDenied", ...links }),
    pages.verifyRequest(links),
    pages.confirm({ csrfToken, action: value("action"), email, homeUrl: links.homeUrl }),
  ])
}

const plainPages = await renderEveryPage((name) => `x${name}`)

describe("texts of the request", () => {
  test("128 no text adds an element or an attribute, or changes the style, on any page", async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(hostileText), async (texts) => {
        const pages = await renderEveryPage(() => texts.next().value)
        expect(pages.map(({ html }) => readHtmlShape(html))).toEqual(
          plainPages.map(({ html }) => readHtmlShape(html)),
        )
        expect(pages.map(({ html }) => readStylesheet(html))).toEqual(
          plainPages.map(({ html }) => readStylesheet(html)),
        )
      }),
      { numRuns: 150 },
    )
  })

  test("128 what is escaped arrives as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(hostileString, async (value) => {
        const pages = createPages({})
        const mail = createProvider({ type: "email" })
        const props = { csrfToken: undefined, callbackUrl: value, email: value }
        const { html } = await pages.signIn({ providers: [mail], ...props })
        findElement(html, "input", { name: "callbackUrl", value })
        findElement(html, "input", { name: "email", value })
      }),
    )
  })

  test("128 the query replaces neither token nor providers nor theme", async () => {
    const query = {
      error: "Callback",
      csrfToken: "token",
      providers: [createProvider({})],
      callbackUrl,
      theme: { logo: "https://evil.example/logo.png" },
      signinUrl: "https://evil.example",
    }
    const { html } = await createPages({}).signIn(query)
    expect(html).not.toContain("evil.example")
    expect(findElement(html, "form").attributes.get("action")).toBe(action)
  })

  test("128 a link or a form leads to the web and nowhere else", async () => {
    const schemes = [
      "javascript:alert(1)",
      " java\nscript:alert(1)",
      "data:text/html,x",
      "//evil",
      "x",
    ]
    for (const url of [...schemes, "/\\evil.example", "/\t/evil.example"]) {
      const pages = createPages({})
      const made = await Promise.all([
        pages.signIn({
          providers: [createProvider({ action: url })],
          csrfToken: "t",
          callbackUrl: url,
        }),
        pages.signOut({ action: url, callbackUrl: url }),
        pages.error({ error: "AccessDenied", signInUrl: url, homeUrl: url }),
        pages.confirm({ action: url, email: "ada@example.com", homeUrl: url }),
      ])
      for (const { attributes } of made.flatMap(({ html }) => parseHtml(html))) {
        expect(attributes.get("href") ?? "/").toBe("/")
        expect(attributes.get("action") ?? "/").toBe("/")
      }
    }
  })
})

describe("texts of the configuration", () => {
  test("129 names, styles and theme stay within their place", async () => {
    const record = fc.record({
      name: hostileText,
      logo: hostileText,
      brandColor: hostileText,
      theme: fc.record({ brandColor: hostileText, buttonText: hostileText, logo: hostileText }),
    })
    const { html: harmless } = await renderSignIn([createProvider({})])
    await fc.assert(
      fc.asyncProperty(record, async ({ name, logo, brandColor, theme }) => {
        const { html } = await renderSignIn(
          [createProvider({ name, style: { logo, brandColor } })],
          theme,
        )
        expect(readHtmlShape(html)).toEqual(readHtmlShape(harmless))
        expect(readStylesheet(html)).toBe(readStylesheet(harmless))
      }),
      { numRuns: 300 },
    )
  })

  test("129 a path to a logo stays within its attribute", async () => {
    const shapes = [{}, { logo: "/x.svg" }].map(async (style) => {
      return readHtmlShape((await renderSignIn([createProvider({ style })], style)).html)
    })
    const expected = await Promise.all(shapes)
    await fc.assert(
      fc.asyncProperty(hostileString, async (value) => {
        const logo = `/${value}`
        const { html } = await renderSignIn([createProvider({ style: { logo } })], { logo })
        expect(expected).toContainEqual(readHtmlShape(html))
        for (const { attributes } of findElements(html, "img"))
          expect(attributes.get("src")).toBe(logo)
      }),
    )
  })

  test("129 whatever a colour is written like, the style sheet holds six digits", async () => {
    const colorish = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."#0123456789abcdefrghsl(),.%/ -;}{url") }),
      fc.stringMatching(/^#[0-9a-fA-F]{3,8}$/),
      fc.stringMatching(/^(rgb|hsl)a?\([0-9., %/]{0,20}\)$/),
    )
    await fc.assert(
      fc.asyncProperty(colorish, async (color) => {
        const style = { brandColor: color }
        const theme = { brandColor: color, buttonText: color }
        const sheet = readStylesheet((await renderSignIn([createProvider({ style })], theme)).html)
        const values = [...sheet.matchAll(/--[a-z-]+:([^;]*);/g)].map(([, value]) => value)
        for (const value of values) expect(value).toMatch(/^#[0-9a-f]{6}$/)
        expect(sheet.split("{").length).toBe(sheet.split("}").length)
      }),
      { numRuns: 500 },
    )
  })

  test("129 a field cannot run, load, restyle or redirect anything", async () => {
    const field = {
      type: "image",
      src: "https://evil.example",
      onfocus: "alert(1)",
      ONBLUR: "alert(1)",
      style: "position:fixed",
      form: "other",
      formaction: "https://evil.example",
      name: "csrfToken",
      id: "error",
      class: "x",
      autofocus: true,
      "data-x onload": "1",
      "><script>": "1",
    }
    const fields = { pin: field, secret: { type: "password", value: "hunter2" } }
    const { html } = await renderSignIn([createProvider({ type: "credentials", fields })])
    const input = findElement(html, "input", { name: "pin" })
    expect([...input.attributes.keys()].sort()).toEqual(["autofocus", "id", "name", "type"])
    expect(input.attributes.get("type")).toBe("text")
    expect(html).not.toContain("hunter2")
    expect(findElements(html, "input", { name: "csrfToken" })).toHaveLength(1)
  })

  test("129 the names of fields are escaped, and inherited ones are fields like others", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostileText, fc.constant("constructor")), async (name) => {
        const fields = Object.fromEntries([[name, { label: "Secret" }]])
        const { html } = await renderSignIn([createProvider({ type: "credentials", fields })])
        const label = findElement(html, "label")
        findElement(html, "input", { name, id: label.attributes.get("for")! })
      }),
    )
  })
})

describe("error codes", () => {
  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "<b>"])(
    "130 %s is an unknown error",
    async (error) => {
      const pages = createPages({})
      const page = await pages.error({ error, ...urls })
      expect(page).toEqual(await pages.error({ ...urls }))
      const props = { providers: [createProvider({})], csrfToken: "t", callbackUrl }
      const signIn = await pages.signIn({ ...props, error })
      expect(signIn).toEqual(await pages.signIn({ ...props, error: "Nonesuch" }))
    },
  )

  test("130 a configuration error says nothing about the configuration", async () => {
    const { html } = await createPages({}).error({ error: "Configuration", ...urls })
    expect(findElement(html, "main").text).not.toMatch(/secret|provider|adapter|missing/i)
  })
})

describe("headers", () => {
  test("131 every page forbids framing, sniffing, storing and anything but its own style", async () => {
    for (const { html, headers } of plainPages) {
      const hash = createHash("sha256")
        .update(html.match(/<style>(.*?)<\/style>/s)![1]!)
        .digest()
      expect(headers).toEqual({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          `default-src 'none'; style-src 'sha256-${hash.toString("base64")}'; ` +
          "img-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "cache-control": "private, no-cache, no-store",
      })
    }
  })

  test("131 the hash follows the style when providers bring colours", async () => {
    // Enough hashes for every letter of base64, of which base64url writes two differently.
    for (const gray of Array.from({ length: 24 }, (_, index) => `hsl(0 0% ${index}%)`)) {
      const colors = ["#4f46e5", "gold", gray]
      const providers = colors.map((brandColor) => createProvider({ style: { brandColor } }))
      const { html, headers } = await renderSignIn(providers)
      expect(readStylesheet(html)).toContain(".p3{--mark:")
      const hash = createHash("sha256").update(readStylesheet(html)).digest("base64")
      expect(headers["content-security-policy"]).toContain(`'sha256-${hash}'`)
    }
  })

  test("131 a logo of the theme adds its origin to the policy, and no directive", async () => {
    const policy = async (logo: string) =>
      (await renderSignIn([], { logo })).headers["content-security-policy"]!.split("; ")[2]
    expect(await policy("https://cdn.example:8443/a.png")).toBe(
      "img-src 'self' data: https://cdn.example:8443",
    )
    for (const logo of [
      "https://a;script-src%20*/x",
      "https://a,b/x",
      "http://cdn.example/a.png",
    ]) {
      expect(await policy(logo)).toBe("img-src 'self' data:")
    }
  })

  test("131 no page has a style attribute or a handler, which the policy would block", () => {
    for (const { attributes } of plainPages.flatMap(({ html }) => parseHtml(html))) {
      for (const name of attributes.keys()) expect(name).not.toMatch(/^(?:style|on.*)$/)
    }
  })
})

describe("third parties", () => {
  const foreign = [
    "https://evil.example/logo.svg",
    "//evil.example/logo.svg",
    "/\\evil.example/logo.svg",
    "/\t/evil.example/logo.svg",
    "data:text/html;base64,AAAA",
    "data:image/svg+xml,<svg>",
    "javascript:alert(1)",
    "logo.svg",
    "",
  ]
  test.each(foreign)("132 %j is no logo of a provider: its letter stands there", async (logo) => {
    const { html } = await renderSignIn([createProvider({ style: { logo } })])
    expect(findElements(html, "img")).toEqual([])
    expect(findElement(html, "span", { class: "mark" }).text).toBe("X")
  })

  test.each(["data:image/png;base64,iVBORw0KGgo=", "data:image/svg+xml,%3Csvg%3E", "/x.svg"])(
    "132 %j is a logo, because showing it asks nobody else",
    async (logo) => {
      const { html } = await renderSignIn([createProvider({ style: { logo } })])
      expect(findElement(html, "img").attributes.get("src")).toBe(logo)
    },
  )

  test("132 nothing is loaded: no script, no font, no frame, no foreign image or style", async () => {
    const loading = ["script", "link", "iframe", "object", "embed", "audio", "video", "base"]
    for (const { html } of [
      ...plainPages,
      await renderSignIn([createProvider({})], { logo: "/logo.svg" }),
    ]) {
      for (const { tag, attributes } of parseHtml(html)) {
        expect(loading).not.toContain(tag)
        expect(attributes.get("src") ?? "/").toMatch(/^(?:data:|\/(?!\/))/)
      }
      expect(readStylesheet(html)).not.toMatch(/@import|@font-face|url\(|\/\//)
    }
  })
})
