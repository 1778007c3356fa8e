import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkSite } from "../src/built-site.ts"
import { addContentSecurityPolicy } from "../src/content-security-policy.ts"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-"))
  mkdirSync(join(folder, "errors"))
  writeFileSync(
    join(folder, "errors/Weak.html"),
    addContentSecurityPolicy('<head></head><h1 id="weak" tabindex="-1">Weak</h1>'),
  )
  writeFileSync(join(folder, "logo.png"), "")
})

afterEach(() => rmSync(folder, { recursive: true }))

const check = (html: string) => {
  writeFileSync(join(folder, "index.html"), addContentSecurityPolicy(`<head></head>${html}`))
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

test.each([
  ["no policy", "<head></head>", "has no Content-Security-Policy"],
  [
    "another inline script",
    `${addContentSecurityPolicy("<head></head>")}<script>alert(1)</script>`,
    "has the policy of another page",
  ],
  [
    "an event handler",
    addContentSecurityPolicy('<head></head><p onclick="x()">x</p>'),
    "has an event handler in an attribute",
  ],
])("finds a page with %s", (_, html, problem) => {
  writeFileSync(join(folder, "index.html"), html)
  expect(checkSite(folder).problems).toEqual([`/index.html: ${problem}`])
})

test("the policy permits the inline scripts of the page", () => {
  const page = addContentSecurityPolicy('<head><meta charset="utf-8"></head><script>f()</script>')
  expect(page).toContain("script-src 'self' 'sha256-GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo='")
  expect(page).toMatch(/^<head><meta charset="utf-8">\s+<meta http-equiv/)
})
