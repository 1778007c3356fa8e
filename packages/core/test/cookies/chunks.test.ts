import { encode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { getSetCookieNames, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp, readSessionCookie, secret } from "../support/password-app.ts"

const name = "__Secure-authjs.session-token"

/** Creates an application in which an update sets the size of the session, in characters of claims. */
function createResizableApp() {
  const jwt = ({ token, session }: { token: JWT; session?: { size: number } }) =>
    session ? { ...token, filling: "x".repeat(session.size) } : token
  return createPasswordApp({ callbacks: { jwt } })
}

const listSessionCookies = (browser: TestBrowser) =>
  browser.cookies.names.filter((each) => each.startsWith(name))

/** Returns the names of the cookies of a session, by their number. */
const createChunkNames = (count: number) =>
  count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}.${i}`)

async function resize(browser: TestBrowser, size: number): Promise<Response> {
  const response = await browser.updateSession({ size })
  expect(response.status).toBe(200)
  return response
}

/** Requests the session with exactly this `Cookie` header. */
async function fetchSession(handle: (request: Request) => Promise<Response>, cookie: string) {
  const response = await handle(
    new Request("https://app.example/auth/session", { headers: { cookie } }),
  )
  expect(response.status).toBe(200)
  return { session: await response.json(), set: getSetCookieNames(response), response }
}

const formatCookie = (each: string, value: string) => `${each}=${value}`

describe("a session over 4 kB", () => {
  test.each([
    [1, 100],
    [2, 3000],
    [3, 8000],
  ])(
    "is split into %i cookies that fit into a browser, and can be read again",
    async (count, size) => {
      const alice = await createResizableApp().openSignedInBrowser()
      await resize(alice, size)
      expect(listSessionCookies(alice)).toEqual(createChunkNames(count))
      for (const cookie of alice.cookies) {
        expect(cookie.name.length + cookie.value.length).toBeLessThanOrEqual(4096)
      }
      expect(alice.cookies.rejected).toEqual([])
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
      // The order of the cookies does not matter.
      const shuffled = [...alice.cookies]
        .reverse()
        .map((each) => formatCookie(each.name, each.value))
      const { session } = await fetchSession(alice.app, shuffled.join("; "))
      expect(session).toMatchObject({ user: { name: "ada" } })
    },
  )

  test.each([12, 25])("that an earlier version wrote in %i cookies is read", async (count) => {
    const app = createPasswordApp()
    const token = await encode({
      token: { name: "ada", filling: "x".repeat(count * 2850) },
      secret,
      salt: name,
    })
    const chunks = token.match(/.{1,3936}/g) ?? []
    expect(chunks).toHaveLength(count)
    const pairs = chunks.map((chunk, i) => formatCookie(`${name}.${i}`, chunk))
    for (const each of [pairs, pairs.toReversed()]) {
      const { session } = await fetchSession(app.handle, each.join("; "))
      expect(session).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("also fits with a long cookie name", async () => {
    const long = "s".repeat(600)
    const app = createPasswordApp({
      cookies: { sessionToken: { name: long } },
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(7000) }) },
    })
    const alice = await app.openSignedInBrowser()
    expect(alice.cookies.names).toContain(`${long}.2`)
    expect(alice.cookies.rejected).toEqual([])
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("that is too long for browsers is an error, and the old session stays", async () => {
    const alice = await createResizableApp().openSignedInBrowser()
    const before = readSessionCookie(alice)
    const response = await alice.updateSession({ size: 200_000 })
    expect(response.status).toBe(503)
    expect(readSessionCookie(alice)).toBe(before)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("a session that shrinks or grows", () => {
  test("leaves no stale cookies", async () => {
    const alice = await createResizableApp().openSignedInBrowser()
    for (const [size, count] of [
      [7000, 3],
      [0, 1],
      [8000, 3],
      [3000, 2],
      [7000, 3],
      [0, 1],
    ] as const) {
      await resize(alice, size)
      expect(listSessionCookies(alice).sort()).toEqual(createChunkNames(count).sort())
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("is replaced at sign-in, whatever cookies the browser had", async () => {
    const app = createResizableApp()
    const alice = await app.openSignedInBrowser()
    await resize(alice, 8000)
    await alice.signIn("credentials", { name: "bob", password: "open sesame" })
    expect(listSessionCookies(alice)).toEqual([name])
    expect(await alice.getSession()).toMatchObject({ user: { name: "bob" } })
  })
})

describe("beside a valid session", () => {
  async function whole() {
    const alice = await createResizableApp().openSignedInBrowser()
    return { alice, good: formatCookie(name, readSessionCookie(alice)) }
  }

  test.each([`${name}.7`, `${name}.0`, `${name}.99999`, `${name}.x`, `${name}.-1`, `${name}.01`])(
    "a stray chunk `%s` is ignored",
    async (stray) => {
      const { alice, good } = await whole()
      for (const cookie of [`${stray}=junk; ${good}`, `${good}; ${stray}=junk`]) {
        const { session, set } = await fetchSession(alice.app, cookie)
        expect(session).toMatchObject({ user: { name: "ada" } })
        expect(set).not.toContain(name)
      }
    },
  )

  test.each([`${name}x`, `${name}-old`, `${name}.old`, `${name}.0.1`, `${name}.`, `${name}..0`])(
    "a cookie whose name has the same beginning (`%s`) is ignored, and not deleted",
    async (other) => {
      const { alice, good } = await whole()
      const { session } = await fetchSession(alice.app, `${other}=junk; ${good}`)
      expect(session).toMatchObject({ user: { name: "ada" } })
      const alone = await fetchSession(alice.app, `${other}=junk`)
      expect(alone.session).toBeNull()
      expect(alone.response.headers.getSetCookie().join()).not.toContain(`${other}=`)
    },
  )
})

describe("a set of chunks", () => {
  /** A session in three chunks, and its cookies in order. */
  async function three() {
    const app = createResizableApp()
    const alice = await app.openSignedInBrowser()
    await resize(alice, 7000)
    const parts = createChunkNames(3).map((each) =>
      formatCookie(each, alice.cookies.get(each)?.value ?? ""),
    )
    return { app, parts: parts as [string, string, string] }
  }

  test("with a gap or a duplicate is not a session, but one with an additional chunk is", async () => {
    const { app, parts } = await three()
    const [first, second, third] = parts
    expect((await fetchSession(app.handle, parts.join("; "))).session).not.toBeNull()
    const broken = [
      [first, second],
      [first, third],
      [second, third],
      [first, first, second, third],
      [first, second, second, third],
      [first, second, third.replace(".2=", ".02=")],
      [first, second, `${name}.2=`],
    ]
    for (const cookies of broken) {
      expect((await fetchSession(app.handle, cookies.join("; "))).session).toBeNull()
    }
    const redundant = [
      [first, second, third, `${name}.3=more`],
      [first, second, third, `${name}.4=gap`],
    ]
    for (const cookies of redundant) {
      expect((await fetchSession(app.handle, cookies.join("; "))).session).not.toBeNull()
    }
  })

  test("is read up to 32 chunks, and not beyond", async () => {
    const app = createResizableApp()
    const token = readSessionCookie(await app.openSignedInBrowser())
    const split = (count: number) => {
      const short = Array.from({ length: count - 1 }, (_, i) => token.slice(i, i + 1))
      const parts = [...short, token.slice(count - 1)]
      return parts.map((part, i) => formatCookie(`${name}.${i}`, part)).join("; ")
    }
    expect((await fetchSession(app.handle, split(32))).session).not.toBeNull()
    expect((await fetchSession(app.handle, split(33))).session).toBeNull()
  })

  test("that is longer than browsers can store is refused cheaply", async () => {
    const { app } = await three()
    const many = Array.from({ length: 900 }, (_, i) => `${name}.${i}=x`).join("; ")
    const { session, response } = await fetchSession(app.handle, many)
    expect(session).toBeNull()
    expect(response.headers.getSetCookie().length).toBeLessThan(1000)
  })
})

describe("sign-out", () => {
  test("deletes every chunk with the attributes it was set with", async () => {
    const app = createPasswordApp({
      cookies: {
        sessionToken: { options: { domain: "app.example", path: "/", sameSite: "strict" } },
      },
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(8000) }) },
    })
    const alice = await app.openSignedInBrowser()
    expect(listSessionCookies(alice)).toHaveLength(3)
    await alice.signOut()
    const deletions = alice.setCookieHeaders.filter((line) => line.startsWith(`${name}.`))
    expect(deletions).toHaveLength(3)
    for (const line of deletions) {
      expect(line).toMatch(
        /^[\w.-]+=; Max-Age=0; Domain=app\.example; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      )
    }
    expect(listSessionCookies(alice)).toEqual([])
  })

  test("deletes stray chunks that could become a session again", async () => {
    const alice = await createResizableApp().openSignedInBrowser()
    alice.cookies.setUnchecked(alice.origin, `${name}.0=stray; Path=/; Secure; HttpOnly`)
    await alice.signOut()
    expect(listSessionCookies(alice)).toEqual([])
  })
})
