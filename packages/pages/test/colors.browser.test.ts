/** Colours that only a browser can read. */

import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import type { PageProvider } from "../src/pages/page-provider.ts"
import { contrastRatio } from "../src/theme/contrast.ts"
import type { Theme } from "../src/theme/theme.ts"
import { createPages } from "./support/built-in-pages.ts"

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
})
afterAll(() => browser.close())

interface Colors {
  readonly text: string
  readonly background: string
}

/** Returns the colours of the main button, of that button while hovering, of a provider's mark and of the focus ring. */
async function readColors(
  theme: Theme,
): Promise<Record<"button" | "hover" | "mark" | "focus", Colors>> {
  const action = "https://app.example/auth/signin/x"
  const providers: PageProvider[] = [
    { id: "a", name: "A", type: "oauth", action, style: { brandColor: theme.brandColor } },
    { id: "b", name: "B", type: "email", action },
  ]
  const props = { providers, csrfToken: undefined, callbackUrl: "/" }
  await page.setContent((await createPages(theme).signIn(props)).html)
  await page.mouse.move(0, 0)
  await page.addStyleTag({
    content: "*{transition:none!important}h1{color:var(--focus);background:var(--card)}",
  })
  const focus = await readComputedColors("h1")
  const mark = await readComputedColors(".mark")
  const button = await readComputedColors(".button.main")
  await page.hover(".button.main")
  return { mark, button, focus, hover: await readComputedColors(".button.main") }
}

/** Returns computed colours as `#rrggbb`. A canvas converts them from any colour space. */
function readComputedColors(selector: string): Promise<Colors> {
  return page.locator(selector).evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d")!
    const toHex = (color: string) => {
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data
      return `#${[red, green, blue].map((value) => value!.toString(16).padStart(2, "0")).join("")}`
    }
    const { color, backgroundColor } = getComputedStyle(element)
    return { text: toHex(color), background: toHex(backgroundColor) }
  })
}

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  test.each([
    ["RebeccaPurple", "#663399"],
    [" teal ", "#008080"],
    ["white", "#ffffff"],
    ["crimson", "#dc143c"],
    ["rgb(236 40 40)", "#ec2828"],
    ["rgb(255 255 255 / 54%)", "#ffffff"],
    ["black", "#000000"],
    ["gray", "#808080"],
    ["dimgray", "#696969"],
    ["gold", "#ffd700"],
    ["red", "#ff0000"],
    ["blue", "#0000ff"],
    ["lime", "#00ff00"],
    ["rgb(1, 2, 3)", "#010203"],
    ["rgb(1 2 3 / 50%)", "#808181"],
    ["rgba(100%,0%,0%,1)", "#ff0000"],
    ["rgb(300,-5,0)", "#ff0000"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(-120deg 100% 50%)", "#0000ff"],
    ["hsla(0 0% 0% / .5)", "#808080"],
  ])("%s is %s, and text is readable on it", async (brandColor, expected) => {
    const { button, hover, mark, focus } = await readColors({ colorScheme, brandColor })
    expect(button.background).toBe(expected)
    expect(mark.background).toBe(expected)
    for (const { text, background } of [button, hover, mark]) {
      expect(["#000000", "#ffffff"]).toContain(text)
      expect(contrastRatio(text, background)).toBeGreaterThanOrEqual(4.5)
    }
    expect(hover.background).not.toBe(button.background)
    expect(contrastRatio(focus.text, focus.background)).toBeGreaterThanOrEqual(3)
  })

  test("a text colour goes with the brand colour", async () => {
    const { button } = await readColors({ colorScheme, brandColor: "navy", buttonText: "gold" })
    expect(button).toEqual({ text: "#ffd700", background: "#000080" })
  })

  test.each(["inherit", "constructor", "blurple", "rgb(1,2)", "rgb(1,2,3,4,5)"])(
    "%s is not a colour, and changes nothing",
    async (color) => {
      const expected = await readColors({ colorScheme })
      const theme = { colorScheme, brandColor: color, buttonText: color }
      expect(await readColors(theme)).toEqual(expected)
    },
  )
})
