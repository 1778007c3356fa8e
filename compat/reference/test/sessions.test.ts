import { decode as referenceDecode, encode as referenceEncode } from "@auth/core/jwt"
import { Auth } from "@latchkey/core"
import { decode, encode } from "@latchkey/core/jwt"
import { type Browser, browser, errorOf, withClock } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { kysely } from "./support/databases/kysely.ts"
import { common, type Strategy, secret } from "./support/house.ts"
import { directions, type Library, type SharedConfig, type Swap, swap } from "./support/swap.ts"

const strategies: readonly Strategy[] = ["jwt", "database"]
const origins = ["https://app.example", "http://app.example"]
const ways = directions.flatMap(({ from, to }) =>
  strategies.flatMap((strategy) => origins.map((origin) => ({ from, to, strategy, origin }))),
)

/** Without an adapter where sessions are sealed; on SQLite where they are stored. */
async function deployed(strategy: Strategy, changes: Partial<SharedConfig> = {}): Promise<Swap> {
  if (strategy === "jwt") return swap({ session: { strategy }, ...changes })
  const opened = await kysely.open()
  onTestFinished(() => opened[Symbol.asyncDispose]())
  return swap({ session: { strategy }, ...changes }, opened)
}

const nameAt = async (visitor: Browser) => (await visitor.session())?.user?.name

describe.each(ways)("$strategy sessions at $origin, from $from to $to", (way) => {
  const { from, to, strategy, origin } = way

  test("a person who is signed in stays it, there and back and there again", async () => {
    const at = await deployed(strategy)
    const visitor = at.visitor(origin)
    at.run(from)
    await visitor.signIn(at.provider)
    const before = (await visitor.session())?.user
    expect(before).toMatchObject({ name: "Ada Lovelace", email: "ada@example.com" })
    for (const library of [to, from, to, to, from, from, to] satisfies Library[]) {
      at.run(library)
      expect((await visitor.session())?.user, library).toEqual(before)
    }
    expect(visitor.cookies.rejected).toEqual([])
    expect(at.errors).toEqual([])
  })

  test("signing out there is signing out here", async () => {
    const at = await deployed(strategy)
    const visitor = at.visitor(origin)
    at.run(from)
    await visitor.signIn(at.provider)
    at.run(to)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    await visitor.signOut()
    expect(await visitor.session()).toBeNull()
    at.run(from)
    expect(await visitor.session()).toBeNull()
    await visitor.signIn(at.provider)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
  })

  test("an expired session is over at both", async () => {
    const at = await deployed(strategy, { session: { strategy, maxAge: 1, updateAge: 0 } })
    // The browser keeps the cookie: the server has to decide. Both forgive a token 15 seconds.
    const visitor = browser(at.app, { origin, now: () => 0 })
    at.run(from)
    await visitor.signIn(at.provider)
    at.run(to)
    expect(await withClock(Date.now() + 17_000, () => visitor.session())).toBeNull()
  })
})

describe.each(directions)("sealed sessions, from $from to $to", ({ from, to }) => {
  const sealed = async (changes: Partial<SharedConfig> = {}) => {
    const at = await deployed("jwt", changes)
    const visitor = at.visitor()
    at.run(from)
    await visitor.signIn(at.provider)
    at.run(to)
    return { at, visitor }
  }

  test("what an update changed is there at the other", async () => {
    const { at, visitor } = await sealed({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: session.name } : token,
      },
    })
    await visitor.update({ name: "Countess" })
    expect(await nameAt(visitor)).toBe("Countess")
    at.run(from)
    expect(await nameAt(visitor)).toBe("Countess")
  })

  test("a token of several cookies is read, and may shrink to one and grow again", async () => {
    const sizes = { length: 9000 }
    const { at, visitor } = await sealed({
      session: { strategy: "jwt", updateAge: 0 },
      callbacks: {
        jwt: ({ token }) => ({ ...token, ballast: "x".repeat(sizes.length) }),
        session: ({ session, token }) => ({ ...session, size: String(token["ballast"]).length }),
      },
    })
    const sizeAt = async () => (await visitor.session())?.["size"]
    const chunks = () => visitor.cookies.names.filter((name) => /session-token/.test(name)).length
    expect(chunks()).toBeGreaterThan(2)
    expect(await sizeAt()).toBe(9000)
    for (const [library, length] of [
      [to, 10],
      [from, 12_000],
      [to, 12_000],
      [to, 5000],
      [from, 10],
      [to, 10],
    ] as const) {
      at.run(library)
      sizes.length = length
      expect(await sizeAt(), `${library} ${length}`).toBe(length)
      expect(await sizeAt(), `${library} ${length}, again`).toBe(length)
    }
    expect(chunks()).toBe(1)
    expect(visitor.cookies.rejected).toEqual([])
  })

  test("the secret is rotated while the library changes", async () => {
    const { at, visitor } = await sealed()
    at.config.secret = ["another secret, the new one: 0123456789abcdef", secret]
    expect(await nameAt(visitor), "the old secret").toBe("Ada Lovelace")
    at.run(from)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    const other = at.visitor()
    await other.signIn(at.provider)
    at.run(to)
    expect(await nameAt(other), "the new secret").toBe("Ada Lovelace")
  })

  test("a cookie with a name of its own, and a domain", async () => {
    const { at, visitor } = await sealed({
      cookies: { sessionToken: { name: "__Secure-seat", options: { domain: "app.example" } } },
    })
    expect(visitor.cookies.names).toContain("__Secure-seat")
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    await visitor.signOut()
    at.run(from)
    expect(await visitor.session()).toBeNull()
    expect(visitor.cookies.names).not.toContain("__Secure-seat")
  })

  test("`jwt.encode` and `jwt.decode` of the application", async () => {
    const { at, visitor } = await sealed({
      jwt: {
        encode: ({ token }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
        decode: ({ token }) => JSON.parse(Buffer.from(token ?? "", "base64url").toString()),
      },
    })
    const { value } = visitor.cookies.get("__Secure-authjs.session-token") ?? {}
    expect(JSON.parse(Buffer.from(value ?? "", "base64url").toString()).name).toBe("Ada Lovelace")
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    at.run(from)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
  })

  test("a `jwt.secret` of its own", async () => {
    // The types of the reference library do not have it, its code does.
    const jwt: object = { secret: "a secret for tokens alone: 0123456789abcd" }
    const { visitor } = await sealed({ jwt })
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
  })

  test("a token sealed by the other secret is nobody's", async () => {
    const { at, visitor } = await sealed()
    at.config.secret = "a secret that nobody used before: 0123456789"
    expect(await visitor.session()).toBeNull()
    expect(visitor.cookies.names.filter((name) => /session-token/.test(name))).toEqual([])
  })
})

describe("the modules `jwt`", () => {
  const salt = "authjs.session-token"
  const token = { sub: "user-1", name: "Ada", role: "countess" }

  test.each([
    ["the reference library", referenceEncode, "ours", decode],
    ["us", encode, "the reference library's", referenceDecode],
  ])("what %s encodes, %s decodes", async (_, seal, __, open) => {
    const sealed = await seal({ token, secret, salt })
    expect(await open({ token: sealed, secret, salt })).toMatchObject(token)
    const rotated = ["another secret, the new one: 0123456789abcdef", secret]
    expect(await open({ token: sealed, secret: rotated, salt })).toMatchObject(token)
  })

  test("a cookie that `encode` of the reference library made, without its server, is accepted", async () => {
    const sealed = await referenceEncode({ token, secret, salt: `__Secure-${salt}` })
    const visitor = browser((request) => Auth(request, { ...common, providers: [] }))
    visitor.cookies.plant(
      new URL(visitor.origin),
      `__Secure-${salt}=${sealed}; Path=/; Secure; HttpOnly`,
    )
    expect(await nameAt(visitor)).toBe("Ada")
    expect(errorOf(await visitor.signOut())).toBeNull()
  })
})
