import { describe, expect, test } from "vitest"
import { keepChunks, writeChunks } from "../../src/http/chunks.ts"
import { CookieJar, type NamedCookie, parseCookies } from "../../src/http/cookies.ts"

const cookie: NamedCookie = { name: "session", options: { path: "/" } }
const sizes = [10, 9000]

const namesOf = (cookies: CookieJar["list"]) => cookies.map(({ name }) => name).sort()

describe.each(sizes)("a session of %d characters", (size) => {
  const written = (sent = "") => {
    const jar = new CookieJar()
    const write = (length: number) =>
      writeChunks(jar, parseCookies(sent), cookie, "x".repeat(length), {})
    write(size)
    return { jar, write }
  }

  test("stays back from a refusal", () => {
    expect(written().jar.spentList).toEqual([])
  })

  test("leaves with one whole where it is told to, and with what it replaces", () => {
    const { jar } = written("session.0=a; session.1=b; session.2=c; session.3=d; other=e")
    jar.set({ name: "other", options: {} }, "f")
    jar.set({ name: "session.state", options: {} }, "g")
    keepChunks(jar, cookie)
    const own = namesOf(jar.list).filter((name) => name !== "other" && name !== "session.state")
    expect(own.length).toBeGreaterThan(3)
    expect(namesOf(jar.spentList)).toEqual(own)
  })

  test.each(sizes)("does not let another one of %d leave, which came later", (next) => {
    const { jar, write } = written()
    keepChunks(jar, cookie)
    write(next)
    expect(jar.spentList).toEqual([])
    expect(jar.list.length).toBeGreaterThan(0)
  })
})

test("a cookie that was used up, and is set again, stays back from a refusal", () => {
  const jar = new CookieJar()
  jar.spend(cookie)
  expect(namesOf(jar.spentList)).toEqual(["session"])
  jar.set(cookie, "new")
  expect(jar.spentList).toEqual([])
  jar.delete(cookie)
  expect(jar.spentList).toEqual([])
})

test("a request that took too long keeps nothing, and spends all the same", () => {
  const jar = new CookieJar()
  jar.spend({ name: "spent", options: {} })
  jar.set(cookie, "late")
  jar.keep(cookie.name)
  expect(namesOf(jar.spentList)).toEqual(["session", "spent"])
  jar.beLate()
  jar.keep(cookie.name)
  expect(namesOf(jar.spentList)).toEqual(["spent"])
})
