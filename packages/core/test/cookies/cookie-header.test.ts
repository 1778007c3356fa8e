import type { Cookie, CookieOptions } from "@latchkey/core/types"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseCookies, serializeCookie } from "../../src/http/cookies.ts"
import { anyCharacter } from "../support/any-character.ts"
import { createPasswordApp, readSessionCookie } from "../support/password-app.ts"
import { propertyRuns } from "../support/property-runs.ts"

const name = "__Secure-authjs.session-token"

async function fetchSession(handle: (request: Request) => Promise<Response>, cookie: string) {
  const headers = new Headers()
  headers.set("cookie", cookie)
  const response = await handle(new Request("https://app.example/auth/session", { headers }))
  expect(response.status).toBe(200)
  return response.json()
}

describe("two cookies of the same name", () => {
  test("resolve to the first session, which has the longest path", async () => {
    const app = createPasswordApp()
    const ada = `${name}=${readSessionCookie(await app.openSignedInBrowser("ada"))}`
    const bob = `${name}=${readSessionCookie(await app.openSignedInBrowser("bob"))}`
    for (let i = 0; i < 3; i++) {
      expect(await fetchSession(app.handle, `${ada}; ${bob}`)).toMatchObject({
        user: { name: "ada" },
      })
      expect(await fetchSession(app.handle, `${bob}; ${ada}`)).toMatchObject({
        user: { name: "bob" },
      })
    }
    expect(await fetchSession(app.handle, `${name}=junk; ${ada}`)).toMatchObject({
      user: { name: "ada" },
    })
  })

  test("are never mixed if they are split into chunks", async () => {
    const app = createPasswordApp({
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(7000) }) },
    })
    const cookies = async (browser: string) =>
      [...(await app.openSignedInBrowser(browser)).cookies]
        .filter((each) => each.name.startsWith(name))
        .map((each) => `${each.name}=${each.value}`)
    const [ada, bob] = [await cookies("ada"), await cookies("bob")]
    expect(ada).toHaveLength(3)
    const [a0 = "", a1 = "", a2 = ""] = ada
    const [b0 = "", b1 = "", b2 = ""] = bob
    for (const mixed of [
      [a0, b1, a2],
      [b0, a1, a2],
      [a0, a1, b2],
      [...ada, ...bob],
    ]) {
      expect(await fetchSession(app.handle, mixed.join("; "))).toBeNull()
    }
  })
})

// A browser that takes such a character for a part of the name lets sub-domains set the cookie.
describe.each(["\u0085", "\u00a0", "\u2003", "\u3000", "\ufeff"])("white space %j", (space) => {
  test.each([`${space}${name}`, ` ${space}${name}`, `${name}${space}`])(
    "belongs to the name %j",
    (planted) => {
      const cookies = parseCookies(`a=b; ${planted}=x`)
      expect(cookies.get(name)).toBeUndefined()
      expect(cookies.namesWithPrefix(name.slice(0, 9))).not.toContain(name)
    },
  )
})

describe("a Cookie header", () => {
  const strange: [string, string][] = [
    ["malformed percent-encoding", `${name}=%; a=%E0%A4%A; b=%zz`],
    ["`__proto__`", `__proto__=${name}; constructor=x; ${name}=x`],
    ["an empty name", `=x; ==; =${name}`],
    ["nothing but separators", ";;;;; ; ;=;=;="],
    ["5000 cookies", Array.from({ length: 5000 }, (_, i) => `c${i}=x`).join("; ")],
    ["5000 chunks", Array.from({ length: 5000 }, (_, i) => `${name}.${i}=x`).join("; ")],
    ["a value of 1 MB", `${name}=${"x".repeat(1_000_000)}`],
    ["a value of 1 MB of dots", `${name}=${".".repeat(1_000_000)}`],
    ["1 MB of percent signs", `${name}=${"%41".repeat(333_333)}`],
    ["a name of 1 MB", `${"n".repeat(1_000_000)}=x`],
    ["quotes", `${name}="quoted"`],
  ]

  test.each(strange)("with %s contains no session, and causes no exception", async (_, cookie) => {
    const app = createPasswordApp()
    expect(await fetchSession(app.handle, cookie)).toBeNull()
    expect(app.errorCodes.filter((code) => code !== "JWTSessionError")).toEqual([])
  })

  test.each(strange.slice(0, 4))(
    "with %s and a valid session contains that session",
    async (_, cookie) => {
      const app = createPasswordApp()
      const good = `${name}=${readSessionCookie(await app.openSignedInBrowser())}`
      const others = cookie.replaceAll(`${name}=`, "x=")
      expect(await fetchSession(app.handle, `${others}; ${good}`)).toMatchObject({
        user: { name: "ada" },
      })
    },
  )

  test("is read up to 128 KiB and 1000 cookies, and not beyond", async () => {
    const app = createPasswordApp()
    const good = `${name}=${readSessionCookie(await app.openSignedInBrowser())}`
    const filled = (length: number) => `${good}; x=${"y".repeat(length - good.length - 4)}`
    expect(await fetchSession(app.handle, filled(131_072))).not.toBeNull()
    expect(await fetchSession(app.handle, filled(131_073))).toBeNull()
    const after = (count: number) => `${"x=y; ".repeat(count)}${good}`
    expect(await fetchSession(app.handle, after(999))).not.toBeNull()
    expect(await fetchSession(app.handle, after(1000))).toBeNull()
  })

  test("is parsed without an exception, whatever its text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        const cookies = parseCookies(text)
        for (const each of cookies.namesWithPrefix("")) {
          expect(each).not.toBe("")
          const value = cookies.get(each)
          expect(value === undefined || value.length > 0).toBe(true)
        }
      }),
    )
  })
})

describe("a lookup", () => {
  /** A slow implementation of RFC 6265bis section 5.8.3. */
  function firstOf(header: string, wanted: string): string | undefined {
    const pairs = header.split(";", 1000).map((pair) => {
      const index = pair.indexOf("=")
      return [pair.slice(0, Math.max(index, 0)).trim(), pair.slice(index + 1).trim()] as const
    })
    return pairs.find(([each]) => each === wanted)?.[1] || undefined
  }

  const text = fc.string({ unit: fc.constantFrom(..."ab.= ;;"), maxLength: 60 })
  const wanted = fc.string({ unit: fc.constantFrom(..."ab."), minLength: 1, maxLength: 3 })

  test("finds the cookie of exactly that name, with and without a table", () => {
    fc.assert(
      fc.property(text, wanted, (header, each) => {
        const cookies = parseCookies(header)
        const expected = firstOf(header, each)
        for (let times = 0; times < 20; times++) expect(cookies.getRaw(each)).toBe(expected)
      }),
      { numRuns: propertyRuns(2000) },
    )
  })

  test("is not misled by a name within a value or another name", () => {
    const header = "x=sid=1; xsid=2; sid.0=3;sid; =sid ; sid =4; sid=5"
    expect(parseCookies(header).getRaw("sid")).toBe("4")
  })

  test("finds nothing for an invalid name", () => {
    for (const odd of ["", ";", ";x", "a;", "=", " "]) {
      expect(parseCookies("a=1;;x=2; ;=3").getRaw(odd)).toBeUndefined()
    }
  })

  test("reads at most 1000 cookies, with and without a table", () => {
    const cookies = parseCookies(`${"x=y;".repeat(999)}a=1;b=2`)
    for (let times = 0; times < 20; times++) {
      expect(cookies.getRaw("a")).toBe("1")
      expect(cookies.getRaw("b")).toBeUndefined()
    }
    expect(parseCookies(`${";".repeat(998)}a=1`).getRaw("a")).toBe("1")
    expect(parseCookies(`${";".repeat(1000)}a=1`).getRaw("a")).toBeUndefined()
  })
})

describe("a serialized cookie", () => {
  const token = fc.string({
    unit: fc.constantFrom(..."!#$%&'*+-.^_`|~09AZaz"),
    minLength: 1,
    maxLength: 40,
  })
  const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 })

  test("is parsed to the same name and value", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(token, value), { selector: ([each]) => each }),
        (pairs) => {
          const header = pairs
            .map(([each, text]) => serializeCookie({ name: each, value: text, options: {} }))
            .join("; ")
          const cookies = parseCookies(header)
          for (const [each, text] of pairs) expect(cookies.get(each)).toBe(text)
          expect(cookies.namesWithPrefix("")).toEqual(pairs.map(([each]) => each))
        },
      ),
    )
  })

  test("has one line, whatever its value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const line = serializeCookie({ name: "a", value: text, options: { path: "/" } })
        expect(line).toMatch(/^a=[\x21-\x7e]*; Path=\/$/)
        expect(line.split(";")).toHaveLength(2)
      }),
    )
  })

  test("has only the given attributes, in order", () => {
    const options: CookieOptions = {
      sameSite: "lax",
      priority: "high",
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date(0),
      path: "/p",
      domain: "app.example",
      maxAge: 5,
    }
    expect(serializeCookie({ name: "a", value: "b|c", options })).toBe(
      "a=b%7Cc; Max-Age=5; Domain=app.example; Path=/p; Expires=Thu, 01 Jan 1970 00:00:00 GMT; " +
        "HttpOnly; Secure; Partitioned; Priority=High; SameSite=Lax",
    )
    expect(serializeCookie({ name: "a", value: "", options: {} })).toBe("a=")
    expect(serializeCookie({ name: "a", value: "", options: { sameSite: true } })).toBe(
      "a=; SameSite=Strict",
    )
    const off = { sameSite: false, secure: false, httpOnly: false, partitioned: false }
    expect(serializeCookie({ name: "a", value: "", options: off })).toBe("a=")
  })

  const impossible: [string, Partial<Cookie>][] = [
    ["an empty name", { name: "" }],
    ["a space in its name", { name: "a b" }],
    ["a separator in its name", { name: "a=b" }],
    ["a line break in its name", { name: "a\r\nb" }],
    [
      "a value that its `encode` did not escape",
      { value: "a;b", options: { encode: (text) => text } },
    ],
    ["a separator in its path", { options: { path: "/; Domain=evil.example" } }],
    [
      "a separator in `sameSite`",
      { options: { sameSite: "lax; Domain=evil.example" as string as "lax" } },
    ],
    ["a line break in `priority`", { options: { priority: "high\r\nx: y" as string as "high" } }],
    ["a line break in its path", { options: { path: "/\r\nx: y" } }],
    ["a separator in its domain", { options: { domain: "app.example; Path=/" } }],
    ["a fraction as lifetime", { options: { maxAge: 1.5 } }],
    ["a lifetime that is not a number", { options: { maxAge: Number.NaN } }],
    ["an expiry that is not a date", { options: { expires: new Date(Number.NaN) } }],
  ]

  test.each(impossible)("never contains %s", (_, change) => {
    expect(() => serializeCookie({ name: "a", value: "b", options: {}, ...change })).toThrow(
      TypeError,
    )
  })
})
