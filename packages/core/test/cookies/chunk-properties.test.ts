/** What is written into cookies comes out of them again, whatever the browser had before. */
import type { Cookie } from "@latchkey/core/types"
import fc from "fast-check"
import { expect, test } from "vitest"
import { deleteChunks, readChunks, writeChunks } from "../../src/http/chunks.ts"
import {
  CookieJar,
  type NamedCookie,
  parseCookies,
  serializeCookie,
} from "../../src/http/cookies.ts"

const name = "__Secure-authjs.session-token"
const cookie: NamedCookie = { name, options: { path: "/", httpOnly: true, secure: true } }

/** What a browser holds: name to encoded value. */
type Held = ReadonlyMap<string, string>

const header = (held: Held) => [...held].map(([each, value]) => `${each}=${value}`).join("; ")

/** A browser takes the cookies of an answer. */
function after(held: Held, cookies: readonly Cookie[]): Held {
  const next = new Map(held)
  for (const each of cookies) {
    const [pair = ""] = serializeCookie(each).split(";")
    const at = pair.indexOf("=")
    if (each.options.maxAge === 0) next.delete(each.name)
    else next.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return next
}

function write(held: Held, value: string): readonly Cookie[] {
  const jar = new CookieJar()
  writeChunks(jar, parseCookies(header(held)), cookie, value, {})
  return jar.list
}

const read = (held: Held) => readChunks(parseCookies(header(held)), name)

const sealed = fc
  .integer({ min: 1, max: 32 * 3936 })
  .map((length) => "eyJhbGciOiJkaXIi._-".repeat(Math.ceil(length / 19)).slice(0, length))
/** What an application's own `encode` may give: every character takes up to twelve in the cookie. */
const strange = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .chain((text) => fc.integer({ min: 1, max: 60 }).map((times) => text.repeat(times)))
const value = fc.oneof(sealed, strange)

/** Chunks and whole cookies of earlier sessions, in any combination, with gaps. */
const earlier = fc
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

const foreign = new Map([
  [`${name}x`, "other"],
  [`${name}.old`, "other"],
  [`${name}.01`, "other"],
  ["theme", "dark"],
])

test("a value that is written is read again, whatever cookies there were", () => {
  fc.assert(
    fc.property(earlier, value, (before, written) => {
      const all = new Map([...foreign, ...before])
      const held = after(all, write(all, written))
      expect(read(held)).toBe(written)
      for (const [each, kept] of foreign) expect(held.get(each)).toBe(kept)
    }),
  )
})

test("each cookie of it fits into a browser, and none is there that is not read", () => {
  fc.assert(
    fc.property(earlier, value, (before, written) => {
      const held = after(before, write(before, written))
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

test("a chain of sessions leaves nothing but the last one", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
      let held: Held = new Map()
      for (const each of values) held = after(held, write(held, each))
      expect(read(held)).toBe(values.at(-1))
      const jar = new CookieJar()
      deleteChunks(jar, parseCookies(header(held)), cookie)
      expect([...after(held, jar.list).keys()]).toEqual([])
    }),
  )
})

test("of two values in one answer the second one counts", () => {
  fc.assert(
    fc.property(earlier, value, value, (before, first, second) => {
      const jar = new CookieJar()
      const cookies = parseCookies(header(before))
      writeChunks(jar, cookies, cookie, first, {})
      writeChunks(jar, cookies, cookie, second, {})
      const held = after(before, jar.list)
      expect(read(held)).toBe(second)
      deleteChunks(jar, cookies, cookie)
      expect([...after(before, jar.list).keys()]).toEqual([])
    }),
  )
})

test("a value beyond 32 cookies is refused before anything is touched", () => {
  const jar = new CookieJar()
  const before = parseCookies(`${name}=old`)
  const huge = "x".repeat(32 * 3936 + 1)
  expect(() => writeChunks(jar, before, cookie, huge, {})).toThrow(TypeError)
  expect(jar.list).toEqual([])
})

test("a name that leaves no room for a value is refused instead of never ending", () => {
  for (const length of [4090, 4089, 5000]) {
    const long = { ...cookie, name: "n".repeat(length) }
    const jar = new CookieJar()
    expect(() => writeChunks(jar, parseCookies(""), long, "x".repeat(100), {})).toThrow(TypeError)
  }
})
