/** Security cases 1–5: wherever somebody says where to go afterwards, they stay on the site. */
import { describe, expect, test } from "vitest"
import { callbackDoors } from "../support/callback-doors.ts"
import { home, site } from "../support/front-door.ts"

const doors = Object.entries(callbackDoors)

/** Where a browser goes that is told to go there. */
function destination(target: string): URL {
  return new URL(target, `${home}/auth/callback/scripted`)
}

const foreign = [
  "https://evil.example",
  "https://evil.example/auth/callback?next=https://app.example",
  "http://evil.example",
  "HTTPS://EVIL.EXAMPLE/",
  "https://evil.example:443/app.example",
]

const slashes = [
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

const lookalikes = [
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

const schemes = [
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

const lineBreaks = [
  "/a\r\nSet-Cookie: planted=1",
  "/a\nLocation: https://evil.example",
  "/a\rb",
  "https://app.example/\r\n\r\n<script>",
  "/a\u2028b",
  "/a\u0000b",
]

describe.each(doors)("%s", (_, door) => {
  test("keeps a path of the site", async () => {
    const targets = await door(await site(), "/dashboard?tab=1#top")
    expect(targets.at(-1)).toBe(`${home}/dashboard?tab=1#top`)
  })

  test("1 leads home instead of to a foreign address", async () => {
    for (const url of foreign) {
      const targets = await door(await site(), url)
      expect([url, ...targets.map((to) => destination(to).origin)]).toEqual([
        url,
        ...targets.map(() => home),
      ])
      expect([url, targets.at(-1)]).toEqual([url, home])
    }
  })

  test.each([
    ["2 stays on the site, however many slashes an address begins with", slashes],
    ["3 stays on the site when an address only looks like its own", lookalikes],
    ["4 never leads to a script or to data", schemes],
  ])("%s", async (_title, urls) => {
    for (const url of urls) {
      const made = await site()
      const targets = await door(made, url)
      expect(targets.length).toBeGreaterThan(0)
      for (const to of targets) {
        const { origin, username, password } = destination(to)
        expect([url, origin, username + password]).toEqual([url, home, ""])
      }
      expect([url, made.log.errors]).toEqual([url, []])
    }
  })

  test("5 a line break neither splits a header nor breaks the answer", async () => {
    for (const url of lineBreaks) {
      const targets = await door(await site(), url)
      for (const to of targets)
        expect([url, to]).toEqual([url, expect.stringMatching(/^[\x21-\x7e]+$/)])
      expect([url, targets.at(-1)]).toEqual([url, home])
    }
  })
})
