import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { anyCharacter } from "../../core/test/support/any-character.ts"
import {
  findElement,
  findElements,
  parseHtml,
  readHtmlShape,
  readStylesheet,
} from "../../core/test/support/html-parser.ts"
import { propertyRuns } from "../../core/test/support/property-runs.ts"
import type { RenderedPage } from "../src/pages/document.ts"
import type { PageProvider } from "../src/pages/page-provider.ts"
import type { Theme } from "../src/theme/theme.ts"
import { createPages } from "./support/built-in-pages.ts"

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
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(...breakouts),
  fc.tuple(fc.string(), fc.constantFrom(...breakouts), fc.string()).map((parts) => parts.join("")),
)
/** Never empty: the presence of a prop may change a page, its text may not. */
const hostileText = hostileString.map((value) => `x${value}`)
/** No name of a colour: browsers decide which names they support. */
const hostileColor = hostileString.map((value) => `-${value}`)

function createProvider(props: Partial<PageProvider>): PageProvider {
  return { id: "x", name: "X", type: "oauth", action, ...props }
}

function renderSignIn(providers: PageProvider[], theme: Theme = {}): Promise<RenderedPage> {
  return createPages(theme).signIn({ providers, csrfToken: "token", callbackUrl })
}

/** Renders every page. `value` creates each of its texts. */
async function renderEveryPage(
  value: (name: string) => string,
  theme: Theme = {},
): Promise<RenderedPage[]> {
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
  const error = `unknown ${value("error")}`
  const code = `not a code ${value("code")}`
  return Promise.all([
    pages.signIn({ providers, csrfToken, callbackUrl: target, error, code, email }),
    pages.signOut({ csrfToken, action: value("action"), callbackUrl: target }),
    pages.error({ error, ...links }),
    pages.error({ error: "AccessDenied", ...links }),
    pages.verifyRequest(links),
    pages.confirm({ csrfToken, action: value("action"), email, user: value("user"), ...links }),
  ])
}

const plainPages = await renderEveryPage((name) => `x${name}`)

describe("texts of the request", () => {
  test("no text adds an element or an attribute or changes the style of any page", async () => {
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
      { numRuns: propertyRuns(150) },
    )
  })

  test("escaped values arrive unchanged", async () => {
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

  test("the query cannot replace the CSRF token, the providers or the theme", async () => {
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

  test("links and forms lead to http(s) URLs and local paths only", async () => {
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
      for (const { tag, attributes } of made.flatMap(({ html }) => parseHtml(html))) {
        expect(attributes.get("href") ?? "/").toBe(tag === "link" ? "data:," : "/")
        expect(attributes.get("action") ?? "/").toBe("/")
      }
    }
  })
})

describe("texts of the configuration", () => {
  test("names, styles and theme add no markup and no styles", async () => {
    const record = fc.record({
      name: hostileText,
      logo: hostileText,
      brandColor: hostileColor,
      theme: fc.record({ brandColor: hostileColor, buttonText: hostileColor, logo: hostileText }),
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
      { numRuns: propertyRuns(300) },
    )
  })

  test("the path of a logo stays within its attribute", async () => {
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

  test("a colour never becomes anything else in the style sheet", async () => {
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
        const values = [...sheet.matchAll(/--(?!radius)[a-z-]+:([^;]*);/g)].map(
          ([, value]) => value,
        )
        for (const value of values) {
          expect(value).toMatch(/^(?:#[0-9a-f]{6}|color(?:-mix)?\([\w#.,%/ ()*+-]*\))$/)
          expect(value).not.toMatch(/url\(|var\(|@/)
          expect(value!.split("(").length).toBe(value!.split(")").length)
        }
        expect(sheet.split("{").length).toBe(sheet.split("}").length)
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test("a field cannot run scripts, load resources, change styles or redirect the form", async () => {
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

  test("names of fields are escaped, and inherited names are ordinary fields", async () => {
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
    "%s is an unknown error",
    async (error) => {
      const pages = createPages({})
      const page = await pages.error({ error, ...urls })
      expect(page).toEqual(await pages.error({ ...urls }))
      const props = { providers: [createProvider({})], csrfToken: "t", callbackUrl }
      const signIn = await pages.signIn({ ...props, error })
      expect(signIn).toEqual(await pages.signIn({ ...props, error: "Nonesuch" }))
    },
  )

  test("a configuration error reveals nothing about the configuration", async () => {
    const { html } = await createPages({}).error({ error: "Configuration", ...urls })
    expect(findElement(html, "main").text).not.toMatch(/secret|provider|adapter|missing/i)
  })
})

describe("the content security policy", () => {
  test("forbids framing and all resources except the style of the page", () => {
    for (const { html, contentSecurityPolicy } of plainPages) {
      const hash = createHash("sha256")
        .update(html.match(/<style>(.*?)<\/style>/s)![1]!)
        .digest()
      expect(contentSecurityPolicy).toBe(
        `default-src 'none'; style-src 'sha256-${hash.toString("base64")}'; ` +
          "img-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
      )
    }
  })

  test("the hash in the policy covers the colours of providers", async () => {
    // Enough hashes to contain every character of base64, two of which differ in base64url.
    for (const gray of Array.from({ length: 24 }, (_, index) => `hsl(0 0% ${index}%)`)) {
      const colors = ["#4f46e5", "gold", gray]
      const providers = colors.map((brandColor) => createProvider({ style: { brandColor } }))
      const { html, contentSecurityPolicy } = await renderSignIn(providers)
      expect(readStylesheet(html)).toContain(".p3{--mark:")
      const hash = createHash("sha256").update(readStylesheet(html)).digest("base64")
      expect(contentSecurityPolicy).toContain(`'sha256-${hash}'`)
    }
  })

  test("the logo of the theme adds its origin to the policy, and no directive", async () => {
    const policy = async (logo: string) =>
      (await renderSignIn([], { logo })).contentSecurityPolicy.split("; ")[2]
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

  test("no page has style attributes or event handlers, which the policy would block", () => {
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
  test.each(foreign)(
    "%j is not accepted as a provider's logo: the page shows the letter",
    async (logo) => {
      const { html } = await renderSignIn([createProvider({ style: { logo } })])
      expect(findElements(html, "img")).toEqual([])
      expect(findElement(html, "span", { class: "mark" }).text).toBe("X")
    },
  )

  test.each(["data:image/png;base64,iVBORw0KGgo=", "data:image/svg+xml,%3Csvg%3E", "/x.svg"])(
    "%j is accepted as a logo, because it needs no other server",
    async (logo) => {
      const { html } = await renderSignIn([createProvider({ style: { logo } })])
      expect(findElement(html, "img").attributes.get("src")).toBe(logo)
    },
  )

  test("pages load no script, font, frame, or image or style of another origin", async () => {
    const loading = ["script", "iframe", "object", "embed", "audio", "video", "base"]
    for (const { html } of [
      ...plainPages,
      await renderSignIn([createProvider({})], { logo: "/logo.svg" }),
    ]) {
      for (const { tag, attributes } of parseHtml(html)) {
        expect(loading).not.toContain(tag)
        expect(attributes.get("src") ?? "/").toMatch(/^(?:data:|\/(?!\/))/)
        if (tag === "link")
          expect([attributes.get("rel"), attributes.get("href")]).toEqual(["icon", "data:,"])
      }
      expect(readStylesheet(html)).not.toMatch(/@import|@font-face|url\(|\/\//)
    }
  })
})
