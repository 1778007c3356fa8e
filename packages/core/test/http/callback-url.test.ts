/** Security cases 1–5: wherever a request has a callback URL, the browser stays on the site. */
import { describe, expect, test } from "vitest"
import { callbackUrlInputs } from "../support/callback-url-inputs.ts"
import { createTestSite, siteOrigin } from "../support/test-site.ts"

const inputs = Object.entries(callbackUrlInputs)

/** Where a browser ends up that follows this URL. */
function parseTarget(target: string): URL {
  return new URL(target, `${siteOrigin}/auth/callback/scripted`)
}

const foreignUrls = [
  "https://evil.example",
  "https://evil.example/auth/callback?next=https://app.example",
  "http://evil.example",
  "HTTPS://EVIL.EXAMPLE/",
  "https://evil.example:443/app.example",
]

const slashUrls = [
  "//evil.example",
  "///evil.example",
  "////evil.example/%2f..",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\\/evil.example",
  "https:/evil.example",
  "https:evil.example",
  "https:\\\\evil.example",
  "https:///evil.example",
  "http:/\\evil.example",
  "/..//evil.example",
  "/.//evil.example",
]

const lookalikeUrls = [
  "https://app.example@evil.example",
  "https://app.example:443@evil.example/",
  "https://user:word@app.example/",
  "https://app.example.evil.example",
  "https://app.example%2eevil.example",
  "https://app.example。evil.example",
  "https://xapp.example",
  "https://app.examplex",
  "https://evil.example#https://app.example",
  "https://evil.example?https://app.example",
  "https://evil.example/https://app.example",
  "https://evil.example\\https://app.example",
  "https://app.example:8443/",
  "http://app.example/",
]

const schemeUrls = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  " javascript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "javascript:https://app.example",
  "data:text/html,<script>alert(1)</script>",
  "blob:https://app.example/0",
  "vbscript:msgbox",
  "file:///etc/passwd",
  "about:blank",
]

const lineBreakUrls = [
  "/a\r\nSet-Cookie: planted=1",
  "/a\nLocation: https://evil.example",
  "/a\rb",
  "https://app.example/\r\n\r\n<script>",
  "/a\u2028b",
  "/a\u0000b",
]

describe.each(inputs)("%s", (_, door) => {
  test("keeps a path of the site", async () => {
    const targets = await door(await createTestSite(), "/dashboard?tab=1#top")
    expect(targets.at(-1)).toBe(`${siteOrigin}/dashboard?tab=1#top`)
  })

  test("replaces a URL of another site by the origin", async () => {
    const site = await createTestSite()
    for (const url of foreignUrls) {
      const targets = await door(site, url)
      expect([url, ...targets.map((to) => parseTarget(to).origin)]).toEqual([
        url,
        ...targets.map(() => siteOrigin),
      ])
      expect([url, targets.at(-1)]).toEqual([url, siteOrigin])
    }
  })

  test.each([
    ["stays on the site, however many slashes a URL starts with", slashUrls],
    ["stays on the site if a URL only looks like its own", lookalikeUrls],
    ["never leads to a script or to data", schemeUrls],
  ])("%s", async (_title, urls) => {
    const site = await createTestSite()
    for (const url of urls) {
      const targets = await door(site, url)
      expect(targets.length).toBeGreaterThan(0)
      for (const to of targets) {
        const { origin, username, password } = parseTarget(to)
        expect([url, origin, username + password]).toEqual([url, siteOrigin, ""])
      }
      expect([url, site.log.errorCodes]).toEqual([url, []])
    }
  })

  test("a line break neither splits a header nor breaks the response", async () => {
    const site = await createTestSite()
    for (const url of lineBreakUrls) {
      const targets = await door(site, url)
      for (const to of targets)
        expect([url, to]).toEqual([url, expect.stringMatching(/^[\x21-\x7e]+$/)])
      expect([url, targets.at(-1)]).toEqual([url, siteOrigin])
    }
  })
})
