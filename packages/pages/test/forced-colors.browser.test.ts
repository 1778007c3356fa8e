/** The pages in the colours that a visitor's system forces on them, such as a contrast theme of Windows. */

import type { PagePreview } from "@latchkey/cli/page-previews"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { renderPages } from "./support/page-previews.ts"
import { type Box, countChangedPixels, countDrawnPixels } from "./support/pixels.ts"

// A theme with one scheme, whose colours do not go with those of a visitor with the other one.
const themes = { light: "dark", dark: "light" } as const

/** These have every kind of control. */
const pagesWithControls = [
  "sign-in-email",
  "sign-in-last-used",
  "sign-in-remember-me",
  "check-email",
]

let browser: Browser
let page: Page
let decoder: Page
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 400, height: 900 }, reducedMotion: "reduce" })
  decoder = await browser.newPage()
})
afterAll(() => browser.close())

/** Returns the controls, cards and messages without an edge that contrasts with the page. Runs in the page. */
function findBoxesWithoutEdge(): string[] {
  // The canvas of each palette is black or white.
  const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? 0 : 255
  const isVisible = (color: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
    return [red, green, blue].some((value) => Math.abs(value - canvas) * alpha > 128)
  }
  const boxes = document.querySelectorAll(
    "button, a.button, summary.button, input:not([type=checkbox]), .card, [role=alert]",
  )
  return [...boxes].flatMap((box) => {
    const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(box)
    const hasEdge = borderTopStyle === "solid" && Number.parseFloat(borderTopWidth) >= 1
    const isDrawn = !box.checkVisibility() || (hasEdge && isVisible(borderTopColor))
    return isDrawn ? [] : [`${borderTopColor} ${box.outerHTML.slice(0, 120)}`]
  })
}

/** Returns where icons, logos and letters are drawn. */
const findDrawings = (): Promise<(Box & { html: string })[]> =>
  page.locator("svg:visible, .mark:visible, .initial:visible").evaluateAll((drawings) =>
    drawings.map((drawing) => {
      const { x, y, width, height } = drawing.getBoundingClientRect()
      return { x, y, width, height, html: drawing.outerHTML.slice(0, 120) }
    }),
  )

describe.each(["light", "dark"] as const)("in a %s palette", (colorScheme) => {
  let previews: PagePreview[]
  beforeAll(async () => {
    previews = await renderPages("en", { name: "Acme", colorScheme: themes[colorScheme] })
    await page.emulateMedia({ colorScheme, forcedColors: "active" })
  })

  async function show(name: string): Promise<void> {
    const { html } = previews.find((preview) => preview.name === name)!
    // Passkeys need a secure origin, for which the script shows this form.
    await page.setContent(html.replaceAll(/(<form[^>]*) hidden>/g, "$1>"))
  }

  test("every control has an edge, and every drawing is visible", async () => {
    const problems: string[] = []
    for (const { name } of previews) {
      await show(name)
      const controls = await page.evaluate(findBoxesWithoutEdge)
      problems.push(...controls.map((control) => `${name}: no edge: ${control}`))
      const screenshot = await page.screenshot({ fullPage: true })
      for (const { html, ...box } of await findDrawings()) {
        const count = await countDrawnPixels(decoder, screenshot, box)
        if (count < 10) problems.push(`${name}: ${count} pixels: ${html}`)
      }
    }
    expect(problems).toEqual([])
  })

  test("the focus is as visible as two pixels around the control", async () => {
    for (const name of pagesWithControls) {
      await show(name)
      const controls = page.locator("button:visible, a:visible, summary:visible, input:visible")
      for (const control of await controls.all()) {
        await control.focus()
        await page.keyboard.press("Shift")
        const focused = await page.screenshot({ caret: "hide" })
        await control.blur()
        const before = await page.screenshot({ caret: "hide" })
        const { width, height } = (await control.boundingBox())!
        const changed = await countChangedPixels(decoder, before, focused)
        expect(changed, await control.innerHTML()).toBeGreaterThanOrEqual(2 * (width + height))
      }
    }
  })

  test("a checked box differs from one that is not checked", async () => {
    await show("sign-in-remember-me")
    const box = page.locator("#remember-me [type=checkbox]")
    await box.blur()
    const checked = await page.screenshot()
    await box.uncheck()
    await box.blur()
    expect(await countChangedPixels(decoder, checked, await page.screenshot())).toBeGreaterThan(50)
  })
})
