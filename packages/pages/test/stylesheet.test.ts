import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readStylesheet } from "../../core/test/support/html-parser.ts"
import { propertyRuns } from "../../core/test/support/property-runs.ts"
import type { Color } from "../src/theme/color.ts"
import { contrastRatio } from "../src/theme/contrast.ts"
import { createStylesheetCache } from "../src/theme/stylesheet.ts"
import type { Theme } from "../src/theme/theme.ts"
import { createPages } from "./support/built-in-pages.ts"

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

/** The custom properties of a theme in the light and in the dark scheme. */
async function readProperties(theme: Theme): Promise<[light: Properties, dark: Properties]> {
  const sheet = await renderStylesheet({ ...theme, colorScheme: "auto" })
  const [light = "", dark = ""] = sheet.split("@media (prefers-color-scheme:dark)")
  return [readRootProperties(light), readRootProperties(dark.split("}}", 1)[0]!)]
}

function readRootProperties(sheet: string): Properties {
  const bodies = [...sheet.matchAll(/:root\{([^}]*)/g)].map(([, body]) => body!)
  return parseProperties(bodies.join(";"))
}

function parseProperties(body: string): Properties {
  const found = body.matchAll(/--([a-z-]+):([^;]*);/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value as Color]))
}

describe("contrast (WCAG 2.2, level AA)", () => {
  const texts: [text: string, background: string][] = [
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
  const parts: [part: string, background: string][] = [
    ["field-edge", "card"],
    ["field-edge", "field"],
    ["focus", "card"],
    ["focus", "canvas"],
    ["brand-color", "card"],
  ]
  const focusBackgrounds = ["card", "canvas", "field", "hover"]

  test.each(texts)("%s is readable on %s in both colour schemes", async (text, background) => {
    for (const palette of await readProperties({})) {
      expect(contrastRatio(palette[text]!, palette[background]!)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each(parts)("%s is visible on %s in both colour schemes", async (part, background) => {
    for (const palette of await readProperties({})) {
      expect(contrastRatio(palette[part]!, palette[background]!)).toBeGreaterThanOrEqual(3)
    }
  })

  test("text is readable on any brand colour, also while hovering", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, async (brandColor) => {
        for (const palette of await readProperties({ brandColor })) {
          const text = palette["button-text-color"]!
          expect(palette["brand-color"]).toBe(brandColor)
          expect(contrastRatio(text, palette["brand-color"]!)).toBeGreaterThanOrEqual(4.5)
          expect(contrastRatio(text, palette["brand-hover"]!)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test("any text is readable on any brand colour, whose shade is moved only if it has to be", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, anyColor, async (brandColor, buttonText) => {
        for (const palette of await readProperties({ brandColor, buttonText })) {
          const background = palette["brand-color"]!
          expect(palette["button-text-color"]).toBe(buttonText)
          expect(contrastRatio(buttonText, background)).toBeGreaterThanOrEqual(4.5)
          expect(contrastRatio(buttonText, palette["brand-hover"]!)).toBeGreaterThanOrEqual(4.5)
          const isMoved = background !== brandColor
          expect(isMoved).toBe(contrastRatio(buttonText, brandColor) < 4.5)
        }
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test("the focus ring is visible in any brand colour", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, async (brandColor) => {
        for (const palette of await readProperties({ brandColor })) {
          for (const background of focusBackgrounds) {
            expect(contrastRatio(palette["focus"]!, palette[background]!)).toBeGreaterThanOrEqual(3)
          }
        }
      }),
      { numRuns: propertyRuns(500) },
    )
    const [light, dark] = await readProperties({ brandColor: "#7c3aed", brandColorDark: "#a78bfa" })
    expect([light["focus"], dark["focus"]]).toEqual(["#7c3aed", "#a78bfa"])
  })

  test("the dark scheme has its own brand colour, whose text is black or white", async () => {
    const theme = { brandColor: "#111111", buttonText: "#ffd700", brandColorDark: "#eeeeee" }
    const [light, dark] = await readProperties(theme)
    expect([light["brand-color"], light["button-text-color"]]).toEqual(["#111111", "#ffd700"])
    expect([dark["brand-color"], dark["button-text-color"]]).toEqual(["#eeeeee", "#000000"])
  })

  test("the letter is readable on any provider's colour", async () => {
    await fc.assert(
      fc.asyncProperty(anyColor, async (brandColor) => {
        const sheet = await renderStylesheet({}, brandColor)
        const mark = parseProperties(/\.p1\{([^}]*)\}/.exec(sheet)![1]!)
        expect(mark["mark"]).toBe(brandColor)
        expect(contrastRatio(mark["mark-text"]!, mark["mark"]!)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  test("a brand colour and a text colour are used together", async () => {
    const [light, dark] = await readProperties({ brandColor: "#000080", buttonText: "#ffd700" })
    expect(light["button-text-color"]).toBe("#ffd700")
    expect(dark["button-text-color"]).toBe("#ffd700")
  })

  test("a text colour alone is used where it is readable on the default button", async () => {
    const [light, dark] = await readProperties({ buttonText: "#ffffff" })
    expect(light["button-text-color"]).toBe("#ffffff")
    expect(contrastRatio(dark["button-text-color"]!, dark["brand-color"]!)).toBeGreaterThan(4.5)
  })
})

describe("colours", () => {
  test.each([
    ["#ABC", "#aabbcc"],
    ["#aabbcc", "#aabbcc"],
    ["#00000080", "#7f7f7f"],
    ["#0008", "#777777"],
    [" #008080 ", "#008080"],
  ])("%s is %s", async (configured, color) => {
    expect((await readProperties({ brandColor: configured }))[0]["brand-color"]).toBe(color)
  })

  test.each([
    "RebeccaPurple",
    " teal ",
    "rgb(1 2 3 / 50%)",
    "hsla(0 0% 0% / .5)",
    "oklch(60% .2 20)",
  ])("%s is left to browsers that support it", async (configured) => {
    const sheet = await renderStylesheet({ brandColor: configured }, configured)
    const color = `color(from ${configured.trim().toLowerCase()} srgb `
    // The button in both schemes, and the mark.
    expect(sheet.split(`@supports (color:${color}`)).toHaveLength(4)
    expect(sheet).toContain(`{:root{--brand-color:${color}`)
    expect(sheet).toContain(`{.p1{--mark:${color}`)
  })

  test.each([
    "",
    "#12",
    "#12345",
    "#ggg",
    "transparent",
    "currentcolor",
    "var(--text)",
    "rgb(calc(1),2,3)",
    "rgb(1,2,3);}",
    "url(x)",
    "red;",
    `rgb(${"1".repeat(80)},0,0)`,
  ])("%j is ignored", async (configured) => {
    const theme = { brandColor: configured, buttonText: configured }
    expect(await renderStylesheet(theme, configured)).toBe(await renderStylesheet({}))
  })
})

describe("the style sheet", () => {
  test("follows the colour scheme of the system unless the theme sets one", async () => {
    expect(await renderStylesheet({})).toMatch(
      /^:root\{color-scheme:light dark\}.*@media \(prefers-color-scheme:dark\)/,
    )
    const light = await renderStylesheet({ colorScheme: "light" })
    const dark = await renderStylesheet({ colorScheme: "dark" })
    expect(light).toMatch(/^:root\{color-scheme:light\}/)
    expect(dark).toMatch(/^:root\{color-scheme:dark\}/)
    expect(light + dark).not.toContain("prefers-color-scheme")
  })

  test("has no transitions for users who prefer reduced motion", async () => {
    const [still] = (await renderStylesheet({})).split(
      "@media(prefers-reduced-motion:no-preference)",
    )
    expect(still).not.toMatch(/transition|animation/)
  })

  test.each([
    ["radius", " 4px ", "--radius:4px;"],
    ["radius", "0", "--radius:0;"],
    ["radius", "1.25rem", "--radius:1.25rem;"],
    ["fontFamily", "Georgia, serif", "font-family:Georgia,serif,"],
    [
      "fontFamily",
      `"IBM Plex Sans" , 'M PLUS 1p',Noto Sans`,
      `font-family:"IBM Plex Sans",'M PLUS 1p',Noto Sans,`,
    ],
    ["fontFamily", "メイリオ", "font-family:メイリオ,"],
  ])("takes over the %s %j", async (option, value, declaration) => {
    expect(await renderStylesheet({ [option]: value })).toContain(declaration)
  })

  test.each([
    [
      "radius",
      ["", "4", "-4px", "4px;}", "4pt", "calc(1px)", "var(--x)", "4px 8px", "1e9px", "50%"],
    ],
    [
      "fontFamily",
      [
        "",
        ",",
        "a;",
        "a}",
        'a"',
        '"a',
        "url(x)",
        "var(--x)",
        "a,",
        "</style>",
        '"a\\"',
        "x".repeat(201),
      ],
    ],
  ])("ignores values of %s that are none", async (option, values) => {
    const expected = await renderStylesheet({})
    for (const value of [...values, 5, null, {}]) {
      expect(await renderStylesheet({ [option]: value })).toBe(expected)
    }
  })

  test("is built once for a list of colours", async () => {
    const stylesheet = createStylesheetCache({})
    const first = await stylesheet(["#000001"])
    expect(await stylesheet(["#000001"])).toBe(first)
    expect(await stylesheet(["#000002"])).not.toEqual(first)
  })
})
