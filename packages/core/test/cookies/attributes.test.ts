import type { CookiesOptions } from "@latchkey/core/types"
import { createScriptedProvider, type ScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
} from "../support/password-app.ts"

interface ParsedCookie {
  readonly name: string
  readonly value: string
  readonly attributes: ReadonlyMap<string, string>
}

function parseSetCookie(line: string): ParsedCookie {
  const [pair = "", ...rest] = line.split("; ")
  const index = pair.indexOf("=")
  const attributes = new Map(
    rest.map((each) => [each.split("=", 1)[0] ?? "", each.split("=").slice(1).join("=")]),
  )
  return { name: pair.slice(0, index), value: pair.slice(index + 1), attributes }
}

/** Returns every `Set-Cookie` of a visit: pages, sign-in with a provider, session, sign-out. */
async function collectCookies(
  browser: TestBrowser,
  provider: ScriptedProvider,
): Promise<ParsedCookie[]> {
  provider.setUser({ sub: "grace", email: "grace@example.com" })
  const lines: string[] = []
  const keep = (): void => void lines.push(...browser.setCookieHeaders)
  await browser.open("/auth/signin?callbackUrl=/dashboard")
  keep()
  const authorizationUrl = await browser.startSignIn(provider, { callbackUrl: "/dashboard" })
  keep()
  await browser.open(provider.approve(authorizationUrl))
  keep()
  await browser.getSession()
  keep()
  await browser.signOut()
  keep()
  return lines.map(parseSetCookie)
}

const strategies: [
  string,
  (changes: Partial<PasswordAppConfig>) => Promise<ReturnType<typeof createPasswordApp>>,
][] = [
  ["jwt", async (changes) => createPasswordApp(changes)],
  ["database", createStoredPasswordApp],
]

describe.each(strategies)("cookies of strategy %s", (strategy, open) => {
  test("have HttpOnly, SameSite=Lax, Secure, a prefix and the path / over https", async () => {
    const provider = await createScriptedProvider()
    const alice = (await open({ providers: [provider.asOidc()] })).openBrowser()
    const lines = await collectCookies(alice, provider)
    expect(new Set(lines.map(({ name }) => name.replace(/\.[\w-]{16}$/, ".*")))).toEqual(
      new Set([
        "__Host-authjs.csrf-token",
        "__Secure-authjs.callback-url",
        "__Secure-authjs.session-token",
        "__Host-authjs.state.*",
        ...(strategy === "jwt" ? ["__Host-authjs.signed-out"] : []),
      ]),
    )
    for (const { attributes } of lines) {
      expect(Object.fromEntries(attributes)).toMatchObject({
        Path: "/",
        HttpOnly: "",
        Secure: "",
        SameSite: "Lax",
      })
      expect(attributes.has("Domain")).toBe(false)
    }
    expect(alice.cookies.rejected).toEqual([])
  })

  test("have neither prefix nor Secure over http", async () => {
    const provider = await createScriptedProvider()
    const app = await open({ providers: [provider.asOidc()] })
    const alice = app.openBrowser({ origin: "http://localhost:3000" })
    const lines = await collectCookies(alice, provider)
    expect(lines.length).toBeGreaterThan(4)
    for (const { name, attributes } of lines) {
      expect(name).toMatch(/^authjs\./)
      expect(attributes.has("Secure")).toBe(false)
      expect(attributes.has("HttpOnly")).toBe(true)
    }
    expect(alice.cookies.rejected).toEqual([])
  })

  test("of a pending sign-in expire after 15 minutes, and the session cookie with the session", async () => {
    const provider = await createScriptedProvider()
    const maxAge = 7200
    const alice = (
      await open({ providers: [provider.asOidc()], session: { maxAge } })
    ).openBrowser()
    const before = Date.now()
    const lines = (await collectCookies(alice, provider)).filter(
      ({ attributes }) => attributes.get("Max-Age") !== "0",
    )
    for (const { name, attributes } of lines) {
      const expires = attributes.get("Expires")
      const seconds = expires && (Date.parse(expires) - before) / 1000
      if (name.includes("state")) {
        expect(attributes.get("Max-Age")).toBe("900")
        expect(Math.abs(Number(seconds) - 900)).toBeLessThan(60)
      } else if (name.includes("session")) {
        expect(Math.abs(Number(seconds) - maxAge)).toBeLessThan(60)
        expect(attributes.has("Max-Age")).toBe(false)
      } else if (name.includes("signed-out")) {
        expect(attributes.get("Max-Age")).toBe(`${maxAge}`)
      } else {
        expect([expires, attributes.get("Max-Age")]).toEqual([undefined, undefined])
      }
    }
  })

  test("with the names for http are ignored over https", async () => {
    const app = await open({})
    const alice = await app.openSignedInBrowser("ada", { origin: "http://localhost:3000" })
    const value = readSessionCookie(alice, "authjs.session-token")
    const mallory = app.openBrowser()
    mallory.cookies.setUnchecked(mallory.origin, `authjs.session-token=${value}; Path=/`)
    expect(await mallory.getSession()).toBeNull()
  })

  test("`useSecureCookies` takes precedence over the scheme", async () => {
    const secure = await (await open({ useSecureCookies: true }))
      .openBrowser()
      .fetch("http://app.example/auth/csrf")
    expect(secure.headers.getSetCookie().join()).toContain("__Host-authjs.csrf-token=")
    const plain = await (await open({ useSecureCookies: false })).openSignedInBrowser()
    expect(plain.cookies.names).toContain("authjs.session-token")
    expect(await plain.getSession()).not.toBeNull()
  })
})

test("a form_post sign-in has SameSite=None on its own cookie only", async () => {
  const provider = await createScriptedProvider()
  const written = {
    ...provider.asOidc(),
    authorization: { params: { response_mode: "form_post" } },
  }
  const alice = createPasswordApp({ providers: [written] }).openBrowser()
  const lines = await collectCookies(alice, provider)
  const none = lines.filter(({ attributes }) => attributes.get("SameSite") === "None")
  expect(none.length).toBeGreaterThan(0)
  for (const { name, attributes } of none) {
    expect(name).toContain(".state.")
    expect(attributes.has("Secure")).toBe(true)
  }
  expect(lines.find(({ name }) => name.endsWith("session-token"))?.attributes.get("SameSite")).toBe(
    "Lax",
  )
  expect(alice.cookies.rejected).toEqual([])
})

describe("a cookie that the application configured", () => {
  async function sessionLine(sessionToken: CookiesOptions["sessionToken"]): Promise<ParsedCookie> {
    const app = createPasswordApp({ cookies: { sessionToken } })
    const alice = app.openBrowser()
    const fields = { csrfToken: await alice.getCsrfToken(), name: "ada", password: "open sesame" }
    await alice.post("/auth/callback/credentials", fields)
    const [line = ""] = alice.setCookieHeaders.filter((each) => /session|sid/.test(each))
    expect((await alice.getSession())?.user).toMatchObject({ name: "ada" })
    return parseSetCookie(line)
  }

  test("keeps all attributes if only the name is set", async () => {
    const { name, attributes } = await sessionLine({ name: "sid" })
    expect(name).toBe("sid")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("keeps its name and other attributes if an attribute is set", async () => {
    const { name, attributes } = await sessionLine({ options: { sameSite: "strict" } })
    expect(name).toBe("__Secure-authjs.session-token")
    expect(attributes.get("SameSite")).toBe("Strict")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("keeps the default if an attribute is undefined", async () => {
    const options = { httpOnly: undefined, path: undefined, secure: undefined, sameSite: undefined }
    const written = { name: undefined, options } as unknown as CookiesOptions["sessionToken"]
    const { name, attributes } = await sessionLine(written)
    expect(name).toBe("__Secure-authjs.session-token")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("with a domain is sent to subdomains, and is deleted with the same domain", async () => {
    const app = createPasswordApp({
      cookies: { sessionToken: { options: { domain: "app.example" } } },
    })
    const alice = await app.openSignedInBrowser()
    await alice.signOut()
    const [line = ""] = alice.setCookieHeaders.filter((each) => each.includes("session-token"))
    expect(Object.fromEntries(parseSetCookie(line).attributes)).toMatchObject({
      "Max-Age": "0",
      Domain: "app.example",
    })
    expect(readSessionCookie(alice)).toBe("")
    expect(alice.cookies.rejected).toEqual([])
  })

  test("names the other cookies like the session cookie", async () => {
    const app = createPasswordApp({ cookies: { sessionToken: { name: "sid" } } })
    const alice = app.openBrowser()
    await alice.getCsrfToken()
    expect(alice.cookies.names).toEqual([
      "__Host-authjs.sid.csrf-token",
      "__Secure-authjs.sid.callback-url",
    ])
  })
})
