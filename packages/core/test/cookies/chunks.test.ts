import type { JWT } from "@latchkey/core/types"
import { type Browser, cookiesSet } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { people, sessionCookie } from "../support/people.ts"

const name = "__Secure-authjs.session-token"

/** An application whose sessions are as large as the last update said, in characters of claims. */
function application() {
  const jwt = ({ token, session }: { token: JWT; session?: { size: number } }) =>
    session ? { ...token, filling: "x".repeat(session.size) } : token
  return people({ callbacks: { jwt } })
}

const sessionNames = (who: Browser) => who.cookies.names.filter((each) => each.startsWith(name))

/** The names with which a session of so many cookies is written. */
const chunkNames = (count: number) =>
  count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}.${i}`)

async function resize(who: Browser, size: number): Promise<Response> {
  const answer = await who.update({ size })
  expect(answer.status).toBe(200)
  return answer
}

/** Asks for the session with exactly this `Cookie` header. */
async function sessionWith(handle: (request: Request) => Promise<Response>, cookie: string) {
  const answer = await handle(
    new Request("https://app.example/auth/session", { headers: { cookie } }),
  )
  expect(answer.status).toBe(200)
  return { session: await answer.json(), set: cookiesSet(answer), answer }
}

const pair = (each: string, value: string) => `${each}=${value}`

describe("37 a session over 4 kB", () => {
  test.each([
    [1, 100],
    [2, 3000],
    [3, 7000],
    [12, 33_000],
    [25, 71_000],
  ])("is written into %i cookies that fit into a browser, and read again", async (count, size) => {
    const alice = await application().signedIn()
    await resize(alice, size)
    expect(sessionNames(alice)).toEqual(chunkNames(count))
    for (const cookie of alice.cookies) {
      expect(cookie.name.length + cookie.value.length).toBeLessThanOrEqual(4096)
    }
    expect(alice.cookies.rejected).toEqual([])
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    // And in whatever order they come.
    const shuffled = [...alice.cookies].reverse().map((each) => pair(each.name, each.value))
    const { session } = await sessionWith(alice.app, shuffled.join("; "))
    expect(session).toMatchObject({ user: { name: "ada" } })
  })

  test("fits with a long cookie name, too", async () => {
    const long = "s".repeat(600)
    const app = people({
      cookies: { sessionToken: { name: long } },
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(9000) }) },
    })
    const alice = await app.signedIn()
    expect(alice.cookies.names).toContain(`${long}.3`)
    expect(alice.cookies.rejected).toEqual([])
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("that no browser carries is a fault, and the session stays what it was", async () => {
    const alice = await application().signedIn()
    const before = sessionCookie(alice)
    const answer = await alice.update({ size: 200_000 })
    expect(answer.status).toBe(503)
    expect(sessionCookie(alice)).toBe(before)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("38 a session that shrinks or grows", () => {
  test("leaves no stale cookies", async () => {
    const alice = await application().signedIn()
    for (const [size, count] of [
      [7000, 3],
      [0, 1],
      [33_000, 12],
      [3000, 2],
      [7000, 3],
      [0, 1],
    ] as const) {
      await resize(alice, size)
      expect(sessionNames(alice).sort()).toEqual(chunkNames(count).sort())
      expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
    }
  })

  test("is replaced at sign-in, whatever the browser had", async () => {
    const app = application()
    const alice = await app.signedIn()
    await resize(alice, 9000)
    await alice.signIn("credentials", { name: "bob", password: "open sesame" })
    expect(sessionNames(alice)).toEqual([name])
    expect(await alice.session()).toMatchObject({ user: { name: "bob" } })
  })
})

describe("beside a valid session", () => {
  async function whole() {
    const alice = await application().signedIn()
    return { alice, good: pair(name, sessionCookie(alice)) }
  }

  test.each([`${name}.7`, `${name}.0`, `${name}.99999`, `${name}.x`, `${name}.-1`, `${name}.01`])(
    "39 a stray chunk `%s` is ignored",
    async (stray) => {
      const { alice, good } = await whole()
      for (const cookie of [`${stray}=junk; ${good}`, `${good}; ${stray}=junk`]) {
        const { session, set } = await sessionWith(alice.app, cookie)
        expect(session).toMatchObject({ user: { name: "ada" } })
        expect(set).not.toContain(name)
      }
    },
  )

  test.each([`${name}x`, `${name}-old`, `${name}.old`, `${name}.0.1`, `${name}.`, `${name}..0`])(
    "40 a cookie whose name begins alike (`%s`) is ignored, and not deleted",
    async (other) => {
      const { alice, good } = await whole()
      const { session } = await sessionWith(alice.app, `${other}=junk; ${good}`)
      expect(session).toMatchObject({ user: { name: "ada" } })
      const alone = await sessionWith(alice.app, `${other}=junk`)
      expect(alone.session).toBeNull()
      expect(alone.answer.headers.getSetCookie().join()).not.toContain(`${other}=`)
    },
  )
})

describe("41 a set of chunks", () => {
  /** The cookies of a session in three, by number. */
  async function three() {
    const app = application()
    const alice = await app.signedIn()
    await resize(alice, 7000)
    const parts = chunkNames(3).map((each) => pair(each, alice.cookies.get(each)?.value ?? ""))
    return { app, parts: parts as [string, string, string] }
  }

  test("with a gap, a duplicate or a part too many is no session", async () => {
    const { app, parts } = await three()
    const [first, second, third] = parts
    expect((await sessionWith(app.handle, parts.join("; "))).session).not.toBeNull()
    const broken = [
      [first, second],
      [first, third],
      [second, third],
      [first, second, third, `${name}.3=more`],
      [first, second, third, `${name}.4=gap`],
      [first, first, second, third],
      [first, second, second, third],
      [first, second, third.replace(".2=", ".02=")],
      [first, second, `${name}.2=`],
    ]
    for (const cookies of broken) {
      expect((await sessionWith(app.handle, cookies.join("; "))).session).toBeNull()
    }
  })

  test("of up to 32 is read, of more it is not", async () => {
    const app = application()
    const token = sessionCookie(await app.signedIn())
    const split = (count: number) => {
      const short = Array.from({ length: count - 1 }, (_, i) => token.slice(i, i + 1))
      const parts = [...short, token.slice(count - 1)]
      return parts.map((part, i) => pair(`${name}.${i}`, part)).join("; ")
    }
    expect((await sessionWith(app.handle, split(32))).session).not.toBeNull()
    expect((await sessionWith(app.handle, split(33))).session).toBeNull()
  })

  test("of more than a browser carries is no session, and little work", async () => {
    const { app } = await three()
    const many = Array.from({ length: 900 }, (_, i) => `${name}.${i}=x`).join("; ")
    const { session, answer } = await sessionWith(app.handle, many)
    expect(session).toBeNull()
    expect(answer.headers.getSetCookie().length).toBeLessThan(1000)
  })
})

describe("45 sign-out", () => {
  test("deletes every chunk with the attributes it was set with", async () => {
    const app = people({
      cookies: {
        sessionToken: { options: { domain: "app.example", path: "/", sameSite: "strict" } },
      },
      callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(9000) }) },
    })
    const alice = await app.signedIn()
    expect(sessionNames(alice)).toHaveLength(4)
    await alice.signOut()
    const deletions = alice.setCookies.filter((line) => line.startsWith(`${name}.`))
    expect(deletions).toHaveLength(4)
    for (const line of deletions) {
      expect(line).toMatch(
        /^[\w.-]+=; Max-Age=0; Domain=app\.example; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      )
    }
    expect(sessionNames(alice)).toEqual([])
  })

  test("deletes strays that could become a session again", async () => {
    const alice = await application().signedIn()
    alice.cookies.plant(alice.origin, `${name}.0=stray; Path=/; Secure; HttpOnly`)
    await alice.signOut()
    expect(sessionNames(alice)).toEqual([])
  })
})
