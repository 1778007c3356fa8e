/** Every page in every state and language: what axe finds, whether it fits, and what a keyboard reaches. */

import type { PagePreview } from "@latchkey/cli/page-previews"
import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { findViolations } from "../../../demo/test/support/page-checks.ts"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { walkWithKeyboard } from "./support/keyboard-walk.ts"
import { languages } from "./support/languages.ts"
import { removeScript, renderPages } from "./support/page-previews.ts"

let browser: Browser
let page: Page
let session: CDPSession
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 320, height: 700 } })
  // Passkeys need a secure origin. The pages are written into one document, so that axe is loaded once.
  const origin = "https://app.example/"
  await page.route("**/*", (route) =>
    route.request().url() === origin
      ? route.fulfill({ contentType: "text/html", body: "" })
      : route.abort(),
  )
  // Timers of a page would go on in the next ones.
  await page.addInitScript(() => Object.assign(globalThis, { setInterval: () => 0 }))
  await page.goto(origin)
  session = await page.context().newCDPSession(page)
})
afterAll(() => browser.close())

const rightToLeft: ReadonlySet<string> = new Set(["ar", "he"])

/** Without scripts, only these pages say something else. */
const pagesWithScripts =
  /^(?:sign-in|sign-in-passkey|check-email|second-factor-passkey|add-passkey)$/

async function renderVariants(language: string): Promise<PagePreview[]> {
  const pages = await renderPages(language)
  const withoutScripts = pages
    .filter(({ name }) => pagesWithScripts.test(name))
    .flatMap((preview) => removeScript(preview) ?? [])
  return [...pages, ...withoutScripts]
}

/** Returns the texts that are wider than their element or the window, or cut off. */
function findOverflow(): string[] {
  const isTooWide = (element: Element) => {
    const { left, right } = element.getBoundingClientRect()
    // The text of an input scrolls.
    const isCut = element.tagName !== "INPUT" && element.scrollWidth > element.clientWidth + 1
    return left < 0 || right > innerWidth || isCut
  }
  const elements = document.querySelectorAll("h1, p, label, button, a, summary, input, code, li")
  const texts = [...elements]
    .filter((element) => element.clientWidth > 0 && isTooWide(element))
    .map(({ textContent }) => textContent || "an input")
  const { scrollWidth } = document.documentElement
  return scrollWidth > innerWidth ? [...texts, `the page: ${scrollWidth} pixels`] : texts
}

/** Opens the forms that open one at a time, and returns the language and the direction. Runs in the page. */
function openForms(): string {
  for (const details of document.querySelectorAll("details")) {
    details.removeAttribute("name")
    details.open = true
  }
  const { lang, dir } = document.documentElement
  return `${lang} ${dir}`
}

async function findProblems({ html }: PagePreview, language: string): Promise<string[]> {
  await page.setContent(html)
  const languageAndDirection = await page.evaluate(openForms)
  const expected = `${language} ${rightToLeft.has(language) ? "rtl" : "ltr"}`
  // Colours do not depend on the language: the gallery of the demo compares them.
  const violations = await findViolations(page, ["color-contrast"], ["target-size"])
  const overflow = await page.evaluate(findOverflow)
  const keyboard = await walkWithKeyboard(page, session)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%"
  })
  const largeOverflow = await page.evaluate(findOverflow)
  return [
    ...(languageAndDirection === expected ? [] : [`the language is ${languageAndDirection}`]),
    ...violations,
    ...overflow.map((text) => `too wide: ${text}`),
    ...keyboard,
    ...largeOverflow.map((text) => `too wide in large text: ${text}`),
  ]
}

test.each(languages.map(({ tag }) => tag))(
  "all pages in %s can be used by everybody",
  async (tag) => {
    const variants = await renderVariants(tag)
    expect(variants.length).toBeGreaterThan(60)
    const problems: string[] = []
    for (const preview of variants) {
      const found = await findProblems(preview, tag)
      problems.push(...found.map((problem) => `${preview.name}: ${problem}`))
    }
    expect(problems).toEqual([])
  },
  180_000,
)
