import type { CookiesOptions } from "@latchkey/core/types"
import { type Browser, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Config, people, sessionCookie, storedPeople } from "../support/people.ts"

interface Line {
  readonly name: string
  readonly value: string
  readonly attributes: ReadonlyMap<string, string>
}

function parsed(line: string): Line {
  const [pair = "", ...rest] = line.split("; ")
  const at = pair.indexOf("=")
  const attributes = new Map(
    rest.map((each) => [each.split("=", 1)[0] ?? "", each.split("=").slice(1).join("=")]),
  )
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes }
}

/** Every `Set-Cookie` of a whole visit: pages, sign-in with a provider, session, sign-out. */
async function visit(who: Browser, provider: ScriptedProvider): Promise<Line[]> {
  provider.user({ sub: "grace", email: "grace@example.com" })
  const lines: string[] = []
  const keep = (): void => void lines.push(...who.setCookies)
  await who.open("/auth/signin?callbackUrl=/dashboard")
  keep()
  const begun = await who.begin(provider, { callbackUrl: "/dashboard" })
  keep()
  await who.open(provider.approve(begun))
  keep()
  await who.session()
  keep()
  await who.signOut()
  keep()
  return lines.map(parsed)
}

const strategies: [string, (changes: Partial<Config>) => Promise<ReturnType<typeof people>>][] = [
  ["jwt", async (changes) => people(changes)],
  ["database", storedPeople],
]

describe.each(strategies)("36 cookies of strategy %s", (_, open) => {
  test("are HttpOnly, SameSite=Lax, Secure, prefixed, for the whole host on https", async () => {
    const provider = await scriptedProvider()
    const alice = (await open({ providers: [provider.asOidc()] })).browser()
    const lines = await visit(alice, provider)
    expect(new Set(lines.map(({ name }) => name.replace(/\.[\w-]{16}$/, ".*")))).toEqual(
      new Set([
        "__Host-authjs.csrf-token",
        "__Secure-authjs.callback-url",
        "__Secure-authjs.session-token",
        "__Host-authjs.state.*",
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

  test("have no prefix and no Secure on http", async () => {
    const provider = await scriptedProvider()
    const app = await open({ providers: [provider.asOidc()] })
    const alice = app.browser({ origin: "http://localhost:3000" })
    const lines = await visit(alice, provider)
    expect(lines.length).toBeGreaterThan(4)
    for (const { name, attributes } of lines) {
      expect(name).toMatch(/^authjs\./)
      expect(attributes.has("Secure")).toBe(false)
      expect(attributes.has("HttpOnly")).toBe(true)
    }
    expect(alice.cookies.rejected).toEqual([])
  })

  test("of a sign-in under way end after 15 minutes, the session's with the session", async () => {
    const provider = await scriptedProvider()
    const maxAge = 7200
    const alice = (await open({ providers: [provider.asOidc()], session: { maxAge } })).browser()
    const before = Date.now()
    const lines = (await visit(alice, provider)).filter(
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
      } else {
        expect([expires, attributes.get("Max-Age")]).toEqual([undefined, undefined])
      }
    }
  })

  test("44 of the http variant are nobody's session on https", async () => {
    const app = await open({})
    const alice = await app.signedIn("ada", { origin: "http://localhost:3000" })
    const value = sessionCookie(alice, "authjs.session-token")
    const mallory = app.browser()
    mallory.cookies.plant(mallory.origin, `authjs.session-token=${value}; Path=/`)
    expect(await mallory.session()).toBeNull()
  })

  test("`useSecureCookies` decides whatever the scheme is", async () => {
    const secure = await (await open({ useSecureCookies: true }))
      .browser()
      .fetch("http://app.example/auth/csrf")
    expect(secure.headers.getSetCookie().join()).toContain("__Host-authjs.csrf-token=")
    const plain = await (await open({ useSecureCookies: false })).signedIn()
    expect(plain.cookies.names).toContain("authjs.session-token")
    expect(await plain.session()).not.toBeNull()
  })
})

test("46 a form_post sign-in has SameSite=None on its own cookie, and nowhere else", async () => {
  const provider = await scriptedProvider()
  const written = {
    ...provider.asOidc(),
    authorization: { params: { response_mode: "form_post" } },
  }
  const alice = people({ providers: [written] }).browser()
  const lines = await visit(alice, provider)
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

describe("47 a cookie of the application's own", () => {
  async function sessionLine(sessionToken: CookiesOptions["sessionToken"]): Promise<Line> {
    const app = people({ cookies: { sessionToken } })
    const alice = app.browser()
    const fields = { csrfToken: await alice.csrf(), name: "ada", password: "open sesame" }
    await alice.post("/auth/callback/credentials", fields)
    const [line = ""] = alice.setCookies.filter((each) => /session|sid/.test(each))
    expect((await alice.session())?.user).toMatchObject({ name: "ada" })
    return parsed(line)
  }

  test("name keeps all attributes", async () => {
    const { name, attributes } = await sessionLine({ name: "sid" })
    expect(name).toBe("sid")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("attribute keeps the others, and the name", async () => {
    const { name, attributes } = await sessionLine({ options: { sameSite: "strict" } })
    expect(name).toBe("__Secure-authjs.session-token")
    expect(attributes.get("SameSite")).toBe("Strict")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("attribute that is undefined is not written over a default", async () => {
    const options = { httpOnly: undefined, path: undefined, secure: undefined, sameSite: undefined }
    const written = { name: undefined, options } as unknown as CookiesOptions["sessionToken"]
    const { name, attributes } = await sessionLine(written)
    expect(name).toBe("__Secure-authjs.session-token")
    expect([...attributes.keys()]).toEqual(["Path", "Expires", "HttpOnly", "Secure", "SameSite"])
  })

  test("domain reaches sub-domains, and is deleted with it", async () => {
    const app = people({ cookies: { sessionToken: { options: { domain: "app.example" } } } })
    const alice = await app.signedIn()
    await alice.signOut()
    const [line = ""] = alice.setCookies.filter((each) => each.includes("session-token"))
    expect(Object.fromEntries(parsed(line).attributes)).toMatchObject({
      "Max-Age": "0",
      Domain: "app.example",
    })
    expect(sessionCookie(alice)).toBe("")
    expect(alice.cookies.rejected).toEqual([])
  })

  test("does not change the other cookies", async () => {
    const app = people({ cookies: { sessionToken: { name: "sid" } } })
    const alice = app.browser()
    await alice.csrf()
    expect(alice.cookies.names).toEqual([
      "__Host-authjs.csrf-token",
      "__Secure-authjs.callback-url",
    ])
  })
})
