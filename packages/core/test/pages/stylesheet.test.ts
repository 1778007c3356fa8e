import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Color, contrastRatio } from "../../src/pages/color.ts"
import { createPages } from "../../src/pages/pages.ts"
import { createStylesheetCache } from "../../src/pages/stylesheet.ts"
import type { Theme } from "../../src/types.ts"
import { readStylesheet } from "../support/html-parser.ts"

type Properties = Record<string, Color>

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): Color => `#${value.toString(16).padStart(6, "0")}`)

async function renderStylesheet(theme: Theme, brandColor?: string): Promise<string> {
  const action = "https://app.example/auth/signin/x"
  const providers = [{ id: "x", name: "X", type: "oauth", action, style: { brandColor } }] as const
  const props = { providers, csrfToken: undefined, callbackUrl: "/" }
  return readStylesheet((await createPages(theme).signIn(props)).html)
}

/** The custom properties of a theme, by day and by night. */
async function readProperties(theme: Theme): Promise<[day: Properties, night: Properties]> {
  const sheet = await renderStylesheet(theme)
  const [day, night] = [...sheet.matchAll(/:root\{([^}]*)\}/g)].map(([, body]) =>
    parseProperties(body!),
  )
  return [day!, night!]
}

function parseProperties(body: string): Properties {
  const found = body.matchAll(/--([a-z-]+):(#[0-9a-f]{6});/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value as Color]))
}

describe("contrast (WCAG 2.2, level AA)", () => {
  const texts: [text: string, ground: string][] = [
    ["text", "canvas"],
    ["text", "card"],
    ["text", "field"],
    ["text", "hover"],
    ["muted", "card"],
    ["placeholder", "field"],
    ["error-text", "error-fill"],
    ["mark-text", "mark"],
    ["button-text-color", "brand-color"],
    ["button-text-color", "brand-hover"],
  ]
  const parts: [part: string, ground: string][] = [
    ["field-edge", "card"],
    ["field-edge", "field"],
    ["focus", "card"],
    ["focus", "canvas"],
    ["brand-color", "card"],
  ]

  test.each(texts)("%s can be read on %s, by day and by night", async (text, ground) => {
    for (const palette of await readProperties({})) {
      expect(contrastRatio(palette[text]!, palette[ground]!)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each(parts)("%s can be seen on %s, by day and by night", async (part, ground) => {
    for (const palette of await readProperties({})) {
      expect(contrastRatio(palette[part]!, palette[ground]!)).toBeGreaterThanOrEqual(3)
    }
  })

  test("text on any brand colour can be read, also under the pointer", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, async (brandColor) => {
        for (const palette of await readProperties({ brandColor })) {
          const text = palette["button-text-color"]!
          expect(palette["brand-color"]).toBe(brandColor)
          expect(contrastRatio(text, palette["brand-color"]!)).toBeGreaterThanOrEqual(4.5)
          expect(contrastRatio(text, palette["brand-hover"]!)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 500 },
    )
  })

  test("the letter on any provider's colour can be read", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, async (brandColor) => {
        const sheet = await renderStylesheet({}, brandColor)
        const mark = parseProperties(/\.p1\{([^}]*)\}/.exec(sheet)![1]!)
        expect(mark["mark"]).toBe(brandColor)
        expect(contrastRatio(mark["mark-text"]!, mark["mark"]!)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  test("a chosen text colour goes with the chosen brand colour", async () => {
    const [day, night] = await readProperties({ brandColor: "navy", buttonText: "gold" })
    expect(day["button-text-color"]).toBe("#ffd700")
    expect(night["button-text-color"]).toBe("#ffd700")
  })

  test("a text colour alone is used where the default button lets it be read", async () => {
    const [day, night] = await readProperties({ buttonText: "white" })
    expect(day["button-text-color"]).toBe("#ffffff")
    expect(contrastRatio(night["button-text-color"]!, night["brand-color"]!)).toBeGreaterThan(4.5)
  })
})

describe("colours", () => {
  test.each([
    ["#ABC", "#aabbcc"],
    ["#aabbcc", "#aabbcc"],
    ["#00000080", "#7f7f7f"],
    ["#0008", "#777777"],
    ["RebeccaPurple", "#663399"],
    [" teal ", "#008080"],
    ["rgb(1, 2, 3)", "#010203"],
    ["rgb(1 2 3 / 50%)", "#808181"],
    ["rgba(100%,0%,0%,1)", "#ff0000"],
    ["rgb(300,-5,0)", "#ff0000"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(-120deg 100% 50%)", "#0000ff"],
    ["hsla(0 0% 0% / .5)", "#808080"],
  ])("%s is %s", async (written, color) => {
    expect((await readProperties({ brandColor: written }))[0]["brand-color"]).toBe(color)
  })

  test.each([
    "",
    "#12",
    "#12345",
    "#ggg",
    "transparent",
    "currentcolor",
    "inherit",
    "constructor",
    "var(--text)",
    "rgb(1,2)",
    "rgb(1,2,3,4,5)",
    "rgb(calc(1),2,3)",
    "rgb(1,2,3);}",
    "url(x)",
    "red;",
    `rgb(${"1".repeat(80)},0,0)`,
  ])("%j is none, and is left out", async (written) => {
    expect(await renderStylesheet({ brandColor: written, buttonText: written }, written)).toBe(
      await renderStylesheet({}),
    )
  })
})

describe("the style sheet", () => {
  test("follows the colour scheme of the system, or the chosen one", async () => {
    expect(await renderStylesheet({})).toMatch(
      /^:root\{color-scheme:light dark;.*@media \(prefers-color-scheme:dark\)/,
    )
    const light = await renderStylesheet({ colorScheme: "light" })
    const dark = await renderStylesheet({ colorScheme: "dark" })
    expect(light).toMatch(/^:root\{color-scheme:light;/)
    expect(dark).toMatch(/^:root\{color-scheme:dark;/)
    expect(light + dark).not.toContain("prefers-color-scheme")
  })

  test("moves nothing for people who asked for less motion", async () => {
    const [still] = (await renderStylesheet({})).split(
      "@media (prefers-reduced-motion: no-preference)",
    )
    expect(still).not.toMatch(/transition|animation/)
  })

  test("is built once for a list of colours, and a bounded number is kept", async () => {
    const stylesheet = createStylesheetCache({})
    const first = stylesheet(["#000001"])
    expect(stylesheet(["#000001"])).toBe(first)
    const others = Array.from({ length: 64 }, (_, index): Color => `#1000${10 + index}`)
    for (const color of others) await stylesheet([color])
    expect(stylesheet(["#000001"])).not.toBe(first)
    expect(await stylesheet(["#000001"])).toEqual(await first)
  })
})
