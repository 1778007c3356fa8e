import { describe, expect, test } from "vitest"
import { keepChunkedCookieOnError, writeChunkedCookie } from "../../src/http/cookie-chunks.ts"
import { type CookieDefinition, CookieJar, parseCookies } from "../../src/http/cookies.ts"

const cookie: CookieDefinition = { name: "session", options: { path: "/" } }
const sizes = [10, 9000]

const listNames = (cookies: CookieJar["list"]) => cookies.map(({ name }) => name).sort()

describe.each(sizes)("a session of %d characters", (size) => {
  const written = (sent = "") => {
    const jar = new CookieJar()
    const write = (length: number) =>
      writeChunkedCookie(jar, parseCookies(sent), cookie, "x".repeat(length), {})
    write(size)
    return { jar, write }
  }

  test("is not set by an error response", () => {
    expect(written().jar.cookiesOnError).toEqual([])
  })

  test("is set by an error response if it is kept, together with what it replaces", () => {
    const { jar } = written("session.0=a; session.1=b; session.2=c; session.3=d; other=e")
    jar.set({ name: "other", options: {} }, "f")
    jar.set({ name: "session.state", options: {} }, "g")
    keepChunkedCookieOnError(jar, cookie)
    const own = listNames(jar.list).filter((name) => name !== "other" && name !== "session.state")
    expect(own.length).toBeGreaterThan(3)
    expect(listNames(jar.cookiesOnError)).toEqual(own)
  })

  test.each(sizes)(
    "is not set by an error response if one of %d characters replaces it",
    (next) => {
      const { jar, write } = written()
      keepChunkedCookieOnError(jar, cookie)
      write(next)
      expect(jar.cookiesOnError).toEqual([])
      expect(jar.list.length).toBeGreaterThan(0)
    },
  )
})

test("a cookie that was consumed and set again is not set by an error response", () => {
  const jar = new CookieJar()
  jar.consume(cookie)
  expect(listNames(jar.cookiesOnError)).toEqual(["session"])
  jar.set(cookie, "new")
  expect(jar.cookiesOnError).toEqual([])
  jar.delete(cookie)
  expect(jar.cookiesOnError).toEqual([])
})

test("a request that timed out keeps no cookies, but still consumes them", () => {
  const jar = new CookieJar()
  jar.consume({ name: "spent", options: {} })
  jar.set(cookie, "late")
  jar.keepOnError(cookie.name)
  expect(listNames(jar.cookiesOnError)).toEqual(["session", "spent"])
  jar.markTimedOut()
  jar.keepOnError(cookie.name)
  expect(listNames(jar.cookiesOnError)).toEqual(["spent"])
})
