import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../../core/test/support/html-parser.ts"
import type { Theme } from "../src/theme/theme.ts"
import { createPages } from "./support/built-in-pages.ts"

const urls = { homeUrl: "https://app.example" }

async function renderPage(theme: Theme): Promise<{ html: string; policy: string }> {
  const page = await createPages(theme).error({ ...urls, signInUrl: "/auth/signin" })
  return { html: page.html, policy: page.contentSecurityPolicy }
}

test("the link to the application has its name, or else its host", async () => {
  const readLink = async (theme: Theme) =>
    findElement((await renderPage(theme)).html, "a", { class: "site" }).text
  expect(await readLink({ name: "Loam & co" })).toBe("Back to Loam & co")
  expect(await readLink({})).toBe("app.example")
})

async function readFavicon(theme: Theme): Promise<string> {
  const { html } = await renderPage(theme)
  return findElement(html, "link", { rel: "icon" }).attributes.get("href")!
}

describe("above the card", () => {
  test("is the logo, whose alternative text is that of the theme or its name", async () => {
    for (const [theme, alt] of [
      [{ logoAlt: "Acme Bank", name: "Acme" }, "Acme Bank"],
      [{ name: "Acme" }, "Acme"],
      [{}, "Logo"],
    ] as const) {
      const { html } = await renderPage({ ...theme, logo: "/logo.svg" })
      const { attributes } = findElement(html, "img", { class: "logo" })
      expect(attributes.get("src")).toBe("/logo.svg")
      expect(attributes.get("alt")).toBe(alt)
      expect(findElements(html, "p", { class: "brand" })).toEqual([])
    }
  })

  test.each([undefined, "", "logo.png", "http://cdn.example/logo.png"])(
    "is the name with its initial if the logo is %j",
    async (logo) => {
      const { html } = await renderPage({
        name: "élan <Bank>",
        ...(logo === undefined ? {} : { logo }),
      })
      expect(findElements(html, "img")).toEqual([])
      expect(findElement(html, "p", { class: "brand" }).text).toBe("Éélan <Bank>")
      expect(findElement(html, "span", { class: "initial" }).attributes.get("aria-hidden")).toBe(
        "true",
      )
    },
  )

  test("is nothing without a logo and a name", async () => {
    const { html } = await renderPage({ logoAlt: "Acme", logoDark: "/dark.svg" })
    expect(html).not.toMatch(/class="(?:logo|brand)"/)
  })

  test("is another logo in the dark scheme", async () => {
    const theme = { logo: "https://a.example/light.svg", logoDark: "https://b.example/dark.svg" }
    const auto = await renderPage(theme)
    expect(findElement(auto.html, "source").attributes.get("srcset")).toBe(theme.logoDark)
    expect(findElement(auto.html, "img").attributes.get("src")).toBe(theme.logo)
    expect(auto.policy).toContain("img-src 'self' data: https://a.example https://b.example;")
    const dark = await renderPage({ ...theme, colorScheme: "dark" })
    expect(findElement(dark.html, "img").attributes.get("src")).toBe(theme.logoDark)
    const light = await renderPage({ ...theme, colorScheme: "light" })
    expect(findElement(light.html, "img").attributes.get("src")).toBe(theme.logo)
    expect(light.policy).toContain("img-src 'self' data: https://a.example;")
    expect(dark.html + light.html).not.toContain("<source")
  })
})

describe("the icon of the tab", () => {
  test("is empty without a name, so that no browser requests /favicon.ico", async () => {
    expect(await readFavicon({})).toBe("data:,")
  })

  test("is the initial in the brand colour", async () => {
    const favicon = await readFavicon({ name: "&co", brandColor: "#2c6847" })
    const svg = decodeURIComponent(favicon.replace("data:image/svg+xml,", ""))
    expect(svg).toContain("fill:#2c6847")
    expect(svg).toContain("fill:#ffffff")
    expect(findElement(svg, "text").text).toBe("&")
  })

  test("is that of the theme, and its origin is allowed", async () => {
    const favicon = "https://cdn.example/icon.png"
    expect(await readFavicon({ name: "Acme", favicon })).toBe(favicon)
    expect((await renderPage({ favicon })).policy).toContain(
      "img-src 'self' data: https://cdn.example;",
    )
    expect(await readFavicon({ favicon: "javascript:alert(1)" })).toBe("data:,")
  })
})
