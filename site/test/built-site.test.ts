import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkSite } from "../src/built-site.ts"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-"))
  mkdirSync(join(folder, "errors"))
  writeFileSync(join(folder, "errors/Weak.html"), '<h1 id="weak" tabindex="-1">Weak</h1>')
  writeFileSync(join(folder, "logo.png"), "")
})

afterEach(() => rmSync(folder, { recursive: true }))

const check = (html: string) => {
  writeFileSync(join(folder, "index.html"), html)
  return checkSite(folder).problems
}

test.each([
  "/errors/Weak",
  "/errors/Weak#weak",
  "errors/Weak",
  "#here",
  "https://example.com/x",
  "/logo.png",
])("accepts a link to %s", (href) => {
  expect(check(`<p id="here"><a class="x" href="${href}">x</a></p>`)).toEqual([])
})

test.each(["/errors/Other", "/errors/Weak#other", "#there", "/errors/Weak.pdf"])(
  "finds a link to %s",
  (href) => {
    expect(check(`<p id="here"><a href="${href}">x</a></p>`)).toEqual([`/: ${href} leads nowhere`])
  },
)

test("finds a link to the Markdown of a page that has none", () => {
  expect(check('<a href="/errors/Weak.md">x</a>')).toEqual(["/: /errors/Weak.md leads nowhere"])
})

test("finds links of Markdown files", () => {
  writeFileSync(join(folder, "errors/Weak.md"), "# Weak")
  writeFileSync(join(folder, "page.md"), "[a](/errors/Weak.md#weak) [b](/no.md) `[c](/code.md)`")
  expect(check("")).toEqual(["/page.md: /no.md leads nowhere"])
})

test.each([
  '<script src="https://example.com/a.js"></script>',
  '<link rel="stylesheet" href="//example.com/a.css">',
  '<link rel="preload" href="https://example.com/a.woff2" as="font" crossorigin="">',
  '<img src="https://example.com/a.png" alt="">',
  '<img alt="" src="/missing.png">',
])("finds what is loaded from elsewhere: %s", (html) => {
  expect(check(html)).toHaveLength(1)
})

test("finds what style sheets load from elsewhere", () => {
  writeFileSync(
    join(folder, "a.css"),
    "@font-face{src:url(https://example.com/a.woff2)} a{background:url(/logo.png)}",
  )
  expect(check("")).toEqual([
    "/a.css: loads https://example.com/a.woff2, which is no file of the site",
  ])
})
