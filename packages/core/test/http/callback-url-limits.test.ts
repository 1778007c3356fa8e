/** Security cases 6–11: callback URLs that cannot be used are as good as absent. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { callbackUrlCookie, callbackUrlInputs } from "../support/callback-url-inputs.ts"
import {
  createTestSite,
  sendRequest,
  siteOrigin,
  type TestSite,
  validCredentials,
} from "../support/test-site.ts"

const unusableUrls = [
  "https://[bad",
  "https://app.example:99999/",
  "https://",
  "http://%zz",
  "//",
  "dashboard",
  "?tab=1",
  "",
]

/** The callback URL in the browser's cookie. */
function readCallbackUrl(setCookies: readonly string[]): string | undefined {
  const line = setCookies.find((each) => each.startsWith(`${callbackUrlCookie}=`))
  return line && decodeURIComponent(line.slice(callbackUrlCookie.length + 1).split(";")[0] ?? "")
}

function measureLongestCookie(setCookies: readonly string[]): number {
  const sizes = setCookies.map((line) => line.split(";")[0]?.length ?? 0)
  return Math.max(...sizes)
}

describe("the callback-url cookie", () => {
  test.each([
    [
      "with the URL of another site is ignored, and replaced by the next page",
      "https://evil.example/",
    ],
    ["with the URL of a script is ignored, and replaced by the next page", "javascript:alert(1)"],
    ["with an invalid URL is ignored, and replaced by the next page", "https://[bad"],
    ["with control characters is ignored, and replaced by the next page", "/a\r\nb"],
    [
      "with a URL that is too long is ignored, and replaced by the next page",
      `/${"a".repeat(3000)}`,
    ],
  ])("%s", async (_, value) => {
    const { openBrowser, log } = await createTestSite()
    const alice = openBrowser()
    await alice.signIn("credentials", validCredentials)
    const planted = `${callbackUrlCookie}=${encodeURIComponent(value)}; Path=/; Secure`
    alice.cookies.setUnchecked(siteOrigin, planted)

    const response = await alice.fetch("/auth/session")

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: { name: "Ada" } })
    expect(readCallbackUrl(alice.setCookieHeaders)).toBeUndefined()
    await alice.open("/auth/signout")
    expect(readCallbackUrl(alice.setCookieHeaders)).toBe(siteOrigin)
    expect(log.errorCodes).toEqual([])
  })

  test("is set only if it changes", async () => {
    const alice = (await createTestSite()).openBrowser()
    await alice.open("/auth/signin?callbackUrl=/a")
    expect(readCallbackUrl(alice.setCookieHeaders)).toBe(`${siteOrigin}/a`)
    await alice.open("/auth/signin")
    expect(readCallbackUrl(alice.setCookieHeaders)).toBeUndefined()
    await alice.open("/auth/signin?callbackUrl=/b")
    expect(readCallbackUrl(alice.setCookieHeaders)).toBe(`${siteOrigin}/b`)
  })
})

describe.each(Object.entries(callbackUrlInputs))("%s", (_, door) => {
  test("an invalid URL is treated as absent, without an error", async () => {
    for (const url of unusableUrls) {
      const { log, ...rest } = await createTestSite()
      const targets = await door({ log, ...rest }, url)
      expect([url, targets.at(-1), log.errorCodes]).toEqual([url, siteOrigin, []])
    }
  })

  test("is never passed to the application's `redirect`", async () => {
    const received: string[] = []
    const redirect = ({ url }: { url: string }) => {
      received.push(url)
      return new URL(url, siteOrigin).href
    }
    for (const url of [...unusableUrls, "javascript:alert(1)", "/a\nb"]) {
      const changed = await createTestSite({ callbacks: { redirect } })
      await door(changed, url)
      expect(received).not.toContain(url)
      expect(changed.log.errorCodes).toEqual([])
    }
  })

  test("a URL of 10 kB is not stored, and not used", async () => {
    for (const long of [
      `/${"a".repeat(10_000)}`,
      `/${"./".repeat(2000)}x`,
      `/${"ж".repeat(2000)}`,
    ]) {
      const { log, ...rest } = await createTestSite()
      const targets = await door({ log, ...rest }, long)
      expect([targets.at(-1), log.errorCodes]).toEqual([siteOrigin, []])
    }
  })
})

describe("long URLs", () => {
  const provided = async (callbackUrl: string) => {
    const { openBrowser, provider, log }: TestSite = await createTestSite()
    const alice = openBrowser()
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl })
    const longest = measureLongestCookie(alice.setCookieHeaders)
    const response = await alice.open(provider.approve(authorizationUrl))
    return { to: response.headers.get("location"), longest, log, rejected: alice.cookies.rejected }
  }

  test.each([
    ["plain", "/", "a"],
    ["percent-encoded", "/?q=", "%22"],
    ["quotes", "/?q=", '"'],
    ["backslashes", "/?q=", "\\"],
    ["backslashes in a fragment", "/#", "\\"],
    ["characters outside of ASCII", "/", "ж"],
    ["characters outside of the basic plane", "/?q=", "😀"],
  ])("%s: no cookie is over 4096 bytes, at any length", async (_, start, piece) => {
    for (const length of [100, 330, 660, 1000, 1500, 2000, 2028, 2040, 2048, 4000]) {
      const url = start + piece.repeat(Math.floor((length - start.length) / piece.length))
      const { to, longest, log, rejected } = await provided(url)
      expect(longest).toBeLessThanOrEqual(4096)
      expect(rejected).toEqual([])
      expect(log.errorCodes).toEqual([])
      expect([siteOrigin, new URL(url, siteOrigin).href.replaceAll("\\", "%5C")]).toContain(to)
    }
  })

  test("a URL of 1500 characters is used", async () => {
    const { to } = await provided(`/${"a".repeat(1500)}`)
    expect(to).toBe(`${siteOrigin}/${"a".repeat(1500)}`)
  })
})

describe("a callback URL that is not a string", () => {
  test.each([
    ["an array", ["/evil"]],
    ["an object", { url: "/evil" }],
    ["a number", 1],
    ["true", true],
    ["null", null],
  ])("%s is treated as absent", async (_, callbackUrl) => {
    const { openBrowser, log } = await createTestSite()
    const alice = openBrowser()
    const response = await alice.fetch("/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: await alice.getCsrfToken(), callbackUrl }),
    })
    expect(response.headers.get("location")).toBe(siteOrigin)
    expect(log.errorCodes).toEqual([])
  })
})

describe("several callback URLs in one request", () => {
  const signedOut = async (query: string, body: [string, string][], cookie?: string) => {
    const alice = (await createTestSite()).openBrowser()
    const csrfToken = await alice.getCsrfToken()
    if (cookie)
      alice.cookies.setUnchecked(siteOrigin, `${callbackUrlCookie}=${cookie}; Path=/; Secure`)
    const form = new URLSearchParams([["csrfToken", csrfToken], ...body])
    const response = await alice.post(`/auth/signout${query}`, form)
    return response.headers.get("location")
  }

  test("the body takes precedence over the query, and the query over the cookie", async () => {
    const body: [string, string][] = [["callbackUrl", "/body"]]
    expect(await signedOut("?callbackUrl=/query", body, "/cookie")).toBe(`${siteOrigin}/body`)
    expect(await signedOut("?callbackUrl=/query", [], "/cookie")).toBe(`${siteOrigin}/query`)
    expect(await signedOut("", [], "/cookie")).toBe(`${siteOrigin}/cookie`)
    expect(await signedOut("", [])).toBe(siteOrigin)
  })

  test("the last of several in one place is used, and stays on the origin", async () => {
    const twice: [string, string][] = [
      ["callbackUrl", "/first"],
      ["callbackUrl", "/last"],
    ]
    expect(await signedOut("", twice)).toBe(`${siteOrigin}/last`)
    expect(await signedOut("?callbackUrl=/first&callbackUrl=/last", [])).toBe(`${siteOrigin}/last`)
    const foreign = "?callbackUrl=/first&callbackUrl=https://evil.example"
    expect(await signedOut(foreign, [])).toBe(siteOrigin)
  })

  test("if one is invalid, the next place is used", async () => {
    const body: [string, string][] = [["callbackUrl", "https://[bad"]]
    expect(await signedOut("?callbackUrl=/query", body)).toBe(`${siteOrigin}/query`)
  })
})

test("an invalid URL does not change a refusal", async () => {
  const { config } = await createTestSite()
  const response = await sendRequest(config, "/auth/signout?callbackUrl=https://[bad", {
    method: "POST",
  })
  assertRefused(response)
})
