import { createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createOAuthApp } from "../../support/oauth-app.ts"
import { providerFixtures } from "./provider-fixtures.ts"

/** Relative luminance (WCAG 2.2), calculated independently of the code of the pages. */
function relativeLuminance(color: string): number {
  const linear = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = linear
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastRatio(one: string, other: string): number {
  const [light = 0, dark = 0] = [relativeLuminance(one), relativeLuminance(other)].sort(
    (a, b) => b - a,
  )
  return (light + 0.05) / (dark + 0.05)
}

test("every button has a legible logo in the provider's colour", async () => {
  const written = providerFixtures.map(({ factory, options }) =>
    factory({ clientId: "us", clientSecret: "secret", ...options }),
  )
  const app = await createOAuthApp(written)
  const page = await (await createTestBrowser(app.app).open("/auth/signin")).text()
  const buttons = [...page.matchAll(/<span class="mark (p\d+)" aria-hidden="true">(.*?)<\/span>/g)]
  const logos = [...page.matchAll(/<svg class="glyph(?: colors)?"/g)]
  const labels = [...page.matchAll(/<span class="label">/g)]
  expect(logos.length + buttons.length, app.readLog()).toBe(labels.length)
  expect(labels).toHaveLength(providerFixtures.length)
  const letters = buttons.map(([, , letter]) => letter)
  expect(letters.filter((letter) => letter === "G")).toHaveLength(0)
  const classes = new Set(buttons.map(([, name]) => name))
  for (const name of classes) {
    const rule = new RegExp(`\\.${name}\\{--mark:(#\\w{6});--mark-text:(#\\w{6});`).exec(page)
    expect(rule, `${name} has a colour`).not.toBeNull()
    const [, mark = "", text = ""] = rule ?? []
    expect(contrastRatio(mark, text), `${text} on ${mark}`).toBeGreaterThanOrEqual(4.5)
  }
  expect(page).not.toMatch(/<img|https:\/\/(?!app\.example)[^"]*\.(?:svg|png)/)
})
