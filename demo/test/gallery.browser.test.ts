/**
 * Every page in every state, as visitors see it: contrast, sizes, and what it loads. Other languages are in
 * `packages/pages/test/accessibility.browser.test.ts`.
 */

import { gzipSync } from "node:zlib"
import { type PagePreview, renderPagePreviews } from "@latchkey/cli/page-previews"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../../scripts/test-setup/launch-chromium.ts"
import { createShowcaseConfig, showcaseThemes } from "../gallery/showcase.ts"
import { useDemo } from "./support/demo-suite.ts"
import { findViolations, readOverflow } from "./support/page-checks.ts"

const origin = "https://app.example"
const loam = await renderPagePreviews(createShowcaseConfig(showcaseThemes.loam))
// Mail clients put the message into their own page.
const [message] = loam.filter(({ name }) => name === "message")
const previews = loam.filter((preview) => preview !== message)

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

interface ShownPage {
  readonly page: Page
  /** URLs of other hosts that pages requested. */
  readonly foreignRequests: string[]
  show(preview: PagePreview): Promise<void>
}

/** Opens a tab that gets the previews as responses, with their headers. */
async function openPage(colorScheme: "light" | "dark", width: number): Promise<ShownPage> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  const page = await context.newPage()
  const foreignRequests: string[] = []
  let current: PagePreview | undefined
  await page.route("**/*", (route) => {
    const url = new URL(route.request().url())
    if (url.origin !== origin) foreignRequests.push(url.href)
    if (!current || url.pathname !== `/${current.name}`) return route.abort()
    const { status, headers, html } = current
    return route.fulfill({
      status,
      headers: { "content-type": "text/html", ...headers },
      body: html,
    })
  })
  return {
    page,
    foreignRequests,
    async show(preview) {
      current = preview
      await page.goto(`${origin}/${preview.name}`)
    },
  }
}

/** Returns the controls that are lower than 44 px, with their heights. A label belongs to its field. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>("a[href], button, input, summary")
    return [...controls].flatMap((control) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const heights = [control, ...labels].map((each) => each.getBoundingClientRect().height)
      const height = Math.max(...heights)
      return height > 0 && height < 44 ? [`${height}: ${control.outerHTML}`] : []
    })
  })
}

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  let shown: ShownPage
  beforeAll(async () => {
    shown = await openPage(colorScheme, 1280)
  })

  test.each(previews)("$name has no accessibility problem", async (preview) => {
    await shown.show(preview)
    expect(await findViolations(shown.page)).toEqual([])
  })

  test("the e-mail has no accessibility problem", async () => {
    if (!message) throw new Error("The previews lack the e-mail")
    await shown.show(message)
    expect(await findViolations(shown.page, ["landmark-one-main", "region"])).toEqual([])
  })

  test("no page loads anything from another host", () => {
    expect(shown.foreignRequests).toEqual([])
  })
})

describe("on a small screen", () => {
  let shown: ShownPage
  beforeAll(async () => {
    shown = await openPage("light", 320)
  })

  test.each(previews)(
    "$name fits, and each control is large enough for a finger",
    async (preview) => {
      await shown.show(preview)
      expect(await readOverflow(shown.page)).toBe(0)
      expect(await findSmallTargets(shown.page)).toEqual([])
    },
  )
})

test.each(previews)("$name is smaller than 12 KB when compressed", ({ html }) => {
  expect(gzipSync(html).length).toBeLessThan(12 * 1024)
})

describe("the gallery of the demo", () => {
  const suite = useDemo()

  test("shows every page in frames, in the theme, language and scheme that its links choose", async () => {
    const { page, closeAndVerify } = await suite.openBrowser()
    // A click waits for the next page, behind all frames of this one.
    page.setDefaultTimeout(30_000)
    await page.goto("/gallery")
    expect(await page.locator("iframe").count()).toBe(loam.length)
    const heading = page.frameLocator("iframe").first().locator("h1")
    await heading.waitFor()
    await page.waitForLoadState("networkidle")
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY")
    const emailForm = page.frameLocator('iframe[title="Sign in, only with email"]')
    expect(await emailForm.locator("[autofocus]").count()).toBe(0)
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
    await page.getByRole("link", { name: "violet" }).click()
    await page.getByRole("link", { name: "dark" }).click()
    await page.waitForURL("/gallery/violet/en/dark")
    await page.getByRole("link", { name: "Sign out" }).click()
    expect(await page.locator(".brand").textContent()).toBe("VViolet")
    expect((await page.request.get("/gallery/violet/xx/dark")).status()).toBe(404)
    await closeAndVerify()
  })
})
