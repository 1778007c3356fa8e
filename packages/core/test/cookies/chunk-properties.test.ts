/** A value can be read after it was written to cookies, whatever cookies the browser had before. */
import type { Cookie } from "@latchkey/core/types"
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  deleteChunkedCookie,
  listChunkedValues,
  writeChunkedCookie,
} from "../../src/http/cookie-chunks.ts"
import {
  type CookieDefinition,
  CookieJar,
  parseCookies,
  serializeCookie,
} from "../../src/http/cookies.ts"

const name = "__Secure-authjs.session-token"
const cookie: CookieDefinition = { name, options: { path: "/", httpOnly: true, secure: true } }

/** The cookies of a browser: name to encoded value. */
type BrowserCookies = ReadonlyMap<string, string>

const formatCookieHeader = (held: BrowserCookies) =>
  [...held].map(([each, value]) => `${each}=${value}`).join("; ")

/** Stores the cookies of a response. */
function applyCookies(held: BrowserCookies, cookies: readonly Cookie[]): BrowserCookies {
  const next = new Map(held)
  for (const each of cookies) {
    const [pair = ""] = serializeCookie(each).split(";")
    const index = pair.indexOf("=")
    if (each.options.maxAge === 0) next.delete(each.name)
    else next.set(pair.slice(0, index), pair.slice(index + 1))
  }
  return next
}

function writeValue(held: BrowserCookies, value: string): readonly Cookie[] {
  const jar = new CookieJar()
  const cookies = parseCookies(formatCookieHeader(held))
  expect(writeChunkedCookie(jar, cookies, cookie, value, {})).toBe(true)
  return jar.list
}

const readValue = (held: BrowserCookies) =>
  listChunkedValues(parseCookies(formatCookieHeader(held)), name)[0]

const tokenValue = fc
  .integer({ min: 1, max: 3 * 3936 })
  .map((length) => "eyJhbGciOiJkaXIi._-".repeat(Math.ceil(length / 19)).slice(0, length))
/** Results of a custom `encode`: each character takes up to twelve in the cookie. */
const unusualValue = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .chain((text) => fc.integer({ min: 1, max: 60 }).map((times) => text.repeat(times)))
  .filter((value) => encodeURIComponent(value).length < 11_000)
const anyValue = fc.oneof(tokenValue, unusualValue)

/** Chunks and whole cookies of earlier sessions, in any combination, with gaps. */
const earlierCookies = fc
  .uniqueArray(
    fc.oneof(
      fc.constant(""),
      fc.integer({ min: 0, max: 40 }).map((i) => `.${i}`),
    ),
    {
      maxLength: 12,
    },
  )
  .map((suffixes) => new Map(suffixes.map((suffix) => [name + suffix, "stale"])))

const unrelatedCookies = new Map([
  [`${name}x`, "other"],
  [`${name}.old`, "other"],
  [`${name}.01`, "other"],
  ["theme", "dark"],
])

test("a value can be read after it was written, whatever cookies there were", () => {
  fc.assert(
    fc.property(earlierCookies, anyValue, (before, written) => {
      const all = new Map([...unrelatedCookies, ...before])
      const held = applyCookies(all, writeValue(all, written))
      expect(readValue(held)).toBe(written)
      for (const [each, kept] of unrelatedCookies) expect(held.get(each)).toBe(kept)
    }),
  )
})

test("each cookie of a value fits into a browser, and there are no other ones", () => {
  fc.assert(
    fc.property(earlierCookies, anyValue, (before, written) => {
      const held = applyCookies(before, writeValue(before, written))
      expect(held.size).toBeGreaterThan(0)
      for (const [each, encoded] of held) {
        expect(each.length + encoded.length).toBeLessThanOrEqual(4096)
      }
      const names = [...held.keys()]
      const expected = names.length === 1 ? [name] : names.map((_, i) => `${name}.${i}`)
      expect(new Set(names)).toEqual(new Set(expected))
    }),
  )
})

test("a series of sessions leaves only the last one", () => {
  fc.assert(
    fc.property(fc.array(anyValue, { minLength: 1, maxLength: 5 }), (values) => {
      let held: BrowserCookies = new Map()
      for (const each of values) held = applyCookies(held, writeValue(held, each))
      expect(readValue(held)).toBe(values.at(-1))
      const jar = new CookieJar()
      deleteChunkedCookie(jar, parseCookies(formatCookieHeader(held)), cookie)
      expect([...applyCookies(held, jar.list).keys()]).toEqual([])
    }),
  )
})

test("the second of two values in one response takes precedence", () => {
  fc.assert(
    fc.property(earlierCookies, anyValue, anyValue, (before, first, second) => {
      const jar = new CookieJar()
      const cookies = parseCookies(formatCookieHeader(before))
      writeChunkedCookie(jar, cookies, cookie, first, {})
      writeChunkedCookie(jar, cookies, cookie, second, {})
      const held = applyCookies(before, jar.list)
      expect(readValue(held)).toBe(second)
      deleteChunkedCookie(jar, cookies, cookie)
      expect([...applyCookies(before, jar.list).keys()]).toEqual([])
    }),
  )
})

test("a value that needs more than three cookies is refused before any cookie is set", () => {
  const jar = new CookieJar()
  const before = parseCookies(`${name}=old`)
  const huge = "x".repeat(3 * 3936 + 1)
  expect(writeChunkedCookie(jar, before, cookie, huge, {})).toBe(false)
  expect(jar.list).toEqual([])
  expect(writeChunkedCookie(jar, before, cookie, huge.slice(1), {})).toBe(true)
  expect(jar.list.map(({ value }) => value).join("")).toBe(huge.slice(1))
})

test("a name that leaves no room for a value is refused", () => {
  for (const length of [4090, 4089, 5000]) {
    const long = { ...cookie, name: "n".repeat(length) }
    const jar = new CookieJar()
    expect(writeChunkedCookie(jar, parseCookies(""), long, "x".repeat(100), {})).toBe(false)
  }
})
