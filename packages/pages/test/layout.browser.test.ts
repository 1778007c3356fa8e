/** The texts of all languages on narrow screens. */

import { renderPagePreviews } from "@latchkey/cli/page-previews"
import type { AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import microsoft from "@latchkey/core/providers/microsoft-entra-id"
import passkey from "@latchkey/core/providers/passkey"
import resend from "@latchkey/core/providers/resend"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { testSiteSecret } from "../../core/test/support/test-site.ts"
import { languages } from "./support/languages.ts"

const config: AuthConfig = {
  secret: testSiteSecret,
  trustHost: true,
  experimental: { enableWebAuthn: true },
  languages,
  theme: { name: "Donaudampfschifffahrt" },
  providers: [
    github({ clientId: "a", clientSecret: "b" }),
    microsoft({ clientId: "a", clientSecret: "b" }),
    resend({ apiKey: "k", from: "a@app.example" }),
    credentials({ credentials: { email: { type: "email" } }, authorize: () => null }),
    passkey,
  ],
}

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 320, height: 700 } })
})
afterAll(() => browser.close())

/** Returns the texts that are wider than their element or the screen. */
function findOverflow(): string[] {
  const isTooWide = (element: Element) => {
    const { left, right } = element.getBoundingClientRect()
    return left < 0 || right > innerWidth || element.scrollWidth > element.clientWidth + 1
  }
  const elements = document.querySelectorAll("h1, p, label, button, a.button, summary, input")
  return [...elements]
    .filter((element) => element.clientWidth > 0 && isTooWide(element))
    .map(({ textContent }) => textContent ?? "")
}

test.each(languages.map(({ tag }) => tag))("all pages in %s fit into 320 pixels", async (tag) => {
  const previews = await renderPagePreviews(config, { language: tag })
  expect(previews.length).toBeGreaterThan(15)
  for (const { name, html } of previews.filter(({ name }) => name !== "message")) {
    await page.setContent(
      html.replace("</head>", "<style>form[hidden]{display:block}</style></head>"),
    )
    expect([name, await page.evaluate(findOverflow)]).toEqual([name, []])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await page.getAttribute("html", "lang")).toBe(tag)
  }
})
