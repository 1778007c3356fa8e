/** `cookies` and `useSecureCookies`: names and attributes, and overrides of some of them. */
import type { CookiesOptions } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import {
  createMinimalSite,
  createTestSite,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

interface SetCookie {
  value: string
  attributes: string[]
}

/** Collects the cookies of a sign-in. */
async function collectCookies(
  changes: Partial<TestSiteConfig> = {},
  origin = "https://app.example",
): Promise<Record<string, SetCookie>> {
  const { openBrowser, provider } = await createTestSite(changes)
  const alice = openBrowser({ origin })
  const seen: Record<string, SetCookie> = {}
  const note = () => {
    for (const line of alice.setCookieHeaders) {
      const [pair = "", ...attributes] = line.split("; ")
      const [name = "", value = ""] = pair.split("=")
      if (!attributes.includes("Max-Age=0"))
        seen[name.replace(/\.[\w-]{16}$/, "")] = { value, attributes }
    }
  }
  await alice.open("/auth/signin?callbackUrl=/a")
  note()
  const authorizationUrl = await alice.startSignIn(provider)
  note()
  await alice.open(provider.approve(authorizationUrl))
  note()
  return seen
}

const expiresAttribute = expect.stringMatching(
  /^Expires=\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
)

describe("over https", () => {
  test("cookies have a prefix, the path /, Secure, HttpOnly and SameSite=Lax", async () => {
    const attributes = ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]
    expect(await collectCookies()).toEqual({
      "__Secure-authjs.callback-url": { value: expect.any(String), attributes },
      "__Host-authjs.csrf-token": { value: expect.stringMatching(/^\w{64}%7C\w{64}$/), attributes },
      "__Host-authjs.state": {
        value: expect.any(String),
        attributes: [
          "Max-Age=900",
          "Path=/",
          expiresAttribute,
          "HttpOnly",
          "Secure",
          "SameSite=Lax",
        ],
      },
      "__Host-authjs.last-provider": {
        value: "scripted",
        attributes: ["Max-Age=31536000", ...attributes],
      },
      "__Secure-authjs.session-token": {
        value: expect.any(String),
        attributes: ["Path=/", expiresAttribute, "HttpOnly", "Secure", "SameSite=Lax"],
      },
    })
  })

  test("cookies have neither prefix nor Secure with `useSecureCookies: false`", async () => {
    const seen = await collectCookies({ useSecureCookies: false })
    expect(Object.keys(seen).sort()).toEqual([
      "authjs.callback-url",
      "authjs.csrf-token",
      "authjs.last-provider",
      "authjs.session-token",
      "authjs.state",
    ])
    for (const { attributes } of Object.values(seen)) {
      expect(attributes).not.toContain("Secure")
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/"]))
    }
  })
})

describe("over http", () => {
  test("cookies have all attributes except prefix and Secure", async () => {
    const seen = await collectCookies({}, "http://localhost:3000")
    expect(Object.keys(seen).sort()).toEqual([
      "authjs.callback-url",
      "authjs.csrf-token",
      "authjs.last-provider",
      "authjs.session-token",
      "authjs.state",
    ])
    for (const { attributes } of Object.values(seen)) {
      expect(attributes).not.toContain("Secure")
      expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/"]))
    }
  })

  test("cookies have both with `useSecureCookies: true`, for a site behind a TLS proxy", async () => {
    const { openBrowser } = createMinimalSite({ useSecureCookies: true })
    const alice = openBrowser({ origin: "http://app.example" })
    await alice.open("/auth/signin")
    expect(alice.setCookieHeaders).toEqual([
      expect.stringMatching(/^__Secure-authjs\.callback-url=.*; Secure; /),
      expect.stringMatching(/^__Host-authjs\.csrf-token=.*; Secure; /),
    ])
  })
})

describe("overridden cookies", () => {
  const keys: [keyof CookiesOptions, string][] = [
    ["sessionToken", "__Secure-authjs.session-token"],
    ["callbackUrl", "__Secure-authjs.callback-url"],
    ["csrfToken", "__Host-authjs.csrf-token"],
    ["state", "__Host-authjs.state"],
  ]

  test.each(keys)("keep their attributes if only the name of %s is set", async (key, name) => {
    const ordinary = await collectCookies()
    const seen = await collectCookies({ cookies: { [key]: { name: "mine" } } })
    expect(seen).not.toHaveProperty([name])
    const steady = (attributes: string[] = []) =>
      attributes.filter((each) => !/^Expires/.test(each))
    expect(steady(seen["mine"]?.attributes)).toEqual(steady(ordinary[name]?.attributes))
  })

  test.each(keys)(
    "keep their name and other attributes if an attribute of %s is set",
    async (key, name) => {
      const options = { sameSite: "strict" as const, priority: "high" as const }
      const seen = await collectCookies({ cookies: { [key]: { options } } })
      expect(seen[name]?.attributes).toEqual(
        expect.arrayContaining([
          "HttpOnly",
          "Secure",
          "Path=/",
          "SameSite=Strict",
          "Priority=High",
        ]),
      )
    },
  )

  test("keep the defaults for undefined values", async () => {
    const cookies = { sessionToken: { name: undefined, options: { httpOnly: undefined } } }
    const seen = await collectCookies({ cookies: cookies as unknown as Partial<CookiesOptions> })
    expect(seen["__Secure-authjs.session-token"]?.attributes).toContain("HttpOnly")
  })

  test("have their domain when they are set and deleted", async () => {
    const options = { domain: "app.example" }
    const alice = createMinimalSite({ cookies: { sessionToken: { options } } }).openBrowser()
    await alice.signIn("credentials", validCredentials)
    const [session] = alice.setCookieHeaders.filter((line) => line.includes("session-token"))
    expect(session).toContain("; Domain=app.example; ")
    await alice.signOut()
    const [deleted] = alice.setCookieHeaders.filter((line) => line.includes("session-token"))
    expect(deleted).toMatch(/=; Max-Age=0; Domain=app\.example; Path=\/; HttpOnly; Secure; /)
    expect(await alice.getSession()).toBeNull()
  })

  test("can be partitioned", async () => {
    const options = { partitioned: true, sameSite: "none" as const }
    const seen = await collectCookies({ cookies: { sessionToken: { options } } })
    const { attributes } = seen["__Secure-authjs.session-token"] ?? {}
    expect(attributes).toEqual(expect.arrayContaining(["Partitioned", "SameSite=None", "Secure"]))
  })
})
