/** Whatever callback URL is requested: a browser that follows the response stays on the site. */
import { Auth, skipCSRFCheck } from "@latchkey/core"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { anyCharacter } from "../support/any-character.ts"
import { propertyRuns } from "../support/property-runs.ts"
import { createMinimalSite, type TestSiteConfig } from "../support/test-site.ts"

const origins = [
  "https://app.example",
  "https://app.example:8443",
  "http://localhost:3000",
  "http://127.0.0.1",
  "https://[::1]:8443",
  "https://xn--bcher-kva.example",
]

const urlParts = [
  ...["https:", "http:", "HTTPS:", "javascript:", "data:", "blob:", "ftp:", "//", "/", "\\", ":"],
  ...["@", "?", "#", ".", "..", "%2f", "%5c", "%00", "%", "&", "=", ";", "'", '"', "<", "[", "]"],
  ...["\t", "\n", "\r", "\u0000", "\u001f", "\u007f", "\u0085", "\u00a0", "\u00ad", "\u200b"],
  ...["\u2028", "\u3002", "\uff0e", "\uff0f", "\ufeff", "\ud800", "😀", "ж", " ", "a", "0"],
  ...[
    "app.example",
    "evil.example",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "8443",
    "3000",
    "user:word",
  ],
]

/** Texts that look like addresses, made of what parsers disagree about. */
const anyUrl = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...urlParts), { maxLength: 8 }).map((a) => a.join("")),
  },
  { weight: 2, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 3000 }).map((text) => `/${text}`) },
)

/** An address and an origin, of which the address may make use. */
const callbackUrlCase = fc
  .tuple(anyUrl, fc.constantFrom(...origins), fc.constantFrom("", "", "/", "@", ".", "\\", ":1"))
  .chain(([text, origin, joint]) =>
    fc.constantFrom(text, origin + joint + text).map((url) => ({ url, origin })),
  )

/** One for all runs: compiling it takes longer than a request. */
const { config: defaultConfig } = createMinimalSite({ skipCSRFCheck })

/** Where a sign-out leads. */
async function followCallbackUrl(
  url: string,
  origin: string,
  how: "form" | "json" | "query",
  config: TestSiteConfig = defaultConfig,
): Promise<string> {
  const target = new URL("/auth/signout", origin)
  if (how === "query") target.searchParams.set("callbackUrl", url)
  const json = how === "json"
  const type = json ? "application/json" : "application/x-www-form-urlencoded"
  const sent = { callbackUrl: url }
  const body =
    how === "query" ? "" : json ? JSON.stringify(sent) : String(new URLSearchParams(sent))
  const request = new Request(target, {
    method: "POST",
    headers: { "content-type": type },
    body: body || "a=b",
  })
  const response = await Auth(request, config)
  expect(response.status).toBe(302)
  return response.headers.get("location") ?? ""
}

/** A second implementation of the rule: URLs of the own origin are kept, all others become the origin. */
function expectedCallbackUrl(url: string, origin: string): string {
  const isAddress = /^(?:\/|https?:)/i.test(url) && !/[\p{Cc}\u2028\u2029]/u.test(url)
  if (!isAddress || url.length > 2048 || !URL.canParse(url, origin)) return origin
  const parsed = new URL(url, origin)
  if (parsed.origin !== origin || parsed.username !== "" || parsed.password !== "") return origin
  const written = url === origin ? url : parsed.href.replaceAll("\\", "%5C")
  return written.length > 2048 ? origin : written
}

const propertyOptions = { numRuns: propertyRuns(1500) }

describe("a callback URL", () => {
  test("never leads to another origin, to a script, or into a header", async () => {
    await fc.assert(
      fc.asyncProperty(
        callbackUrlCase,
        fc.constantFrom("form", "json", "query"),
        async (received, how) => {
          const to = await followCallbackUrl(received.url, received.origin, how)
          const { origin, username, password } = new URL(to, `${received.origin}/auth/signout`)
          expect([origin, username, password]).toEqual([received.origin, "", ""])
          expect(to).toMatch(/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/)
        },
      ),
      propertyOptions,
    )
  })

  test("of the application's origin is kept, and no other one", async () => {
    await fc.assert(
      fc.asyncProperty(callbackUrlCase, async ({ url, origin }) => {
        // Forms replace lone surrogates.
        const sent = new URLSearchParams({ url }).get("url") ?? ""
        expect(await followCallbackUrl(sent, origin, "form")).toBe(
          expectedCallbackUrl(sent, origin),
        )
      }),
      propertyOptions,
    )
  })

  test("leads to the same place when it is used again", async () => {
    await fc.assert(
      fc.asyncProperty(callbackUrlCase, async ({ url, origin }) => {
        const to = await followCallbackUrl(url, origin, "form")
        expect(await followCallbackUrl(to, origin, "form")).toBe(to)
      }),
      propertyOptions,
    )
  })
})

describe("a `redirect` callback that returns everything unchanged", () => {
  test.each<[string, (params: { url: string; baseUrl: string }) => string]>([
    ["unchanged", ({ url }) => url],
    ["after the base URL", ({ url, baseUrl }) => baseUrl + url],
    [
      "after the base URL, if it is a path",
      ({ url, baseUrl }) => (url[0] === "/" ? baseUrl : "") + url,
    ],
    [
      "if it starts with the base URL",
      ({ url, baseUrl }) => (url.startsWith(baseUrl) ? url : baseUrl),
    ],
  ])("%s: leads to http(s), without credentials, in one header", async (_, redirect) => {
    const { config } = createMinimalSite({ skipCSRFCheck, callbacks: { redirect } })
    await fc.assert(
      fc.asyncProperty(callbackUrlCase, async ({ url, origin }) => {
        const to = await followCallbackUrl(url, origin, "json", config)
        const parsed = new URL(to)
        expect(["http:", "https:"]).toContain(parsed.protocol)
        expect(parsed.username + parsed.password).toBe("")
        expect(to).toMatch(/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/)
      }),
      propertyOptions,
    )
  })
})
