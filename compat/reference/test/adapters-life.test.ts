import { type Browser, errorOf, withClock } from "@latchkey/testing"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { ada, bob, type House, house, type Strategy } from "./support/house.ts"
import type { Opened } from "./support/kind.ts"
import { kinds } from "./support/kinds.ts"

const strategies: readonly Strategy[] = ["database", "jwt"]
const lives = kinds.flatMap((kind) => strategies.map((strategy) => ({ ...kind, kind, strategy })))
const day = 86_400_000

describe.each(lives)("a life with $adapter on $database, $strategy sessions", (life) => {
  const { kind, strategy } = life
  /** Sessions that are rows. */
  const rows = (count: number): number => (strategy === "database" ? count : 0)
  let opened: Opened
  let at: House

  beforeAll(async () => {
    opened = await kind.open()
  })
  afterAll(() => opened[Symbol.asyncDispose]())
  beforeEach(async () => {
    await opened.clear()
    at = await house(opened, strategy)
    at.work.user(ada)
    at.club.user(ada)
  })
  afterEach(() => at[Symbol.asyncDispose]())

  const nameAt = async (visitor: Browser) => (await visitor.session())?.user?.name

  test("an OpenID Connect provider: sign in, session, sign out, and in again as the same user", async () => {
    const visitor = at.visitor()
    const answer = await visitor.signIn(at.work, { callbackUrl: "/account" })
    expect(answer.headers.get("location")).toBe("https://app.example/account")
    expect(await visitor.session()).toEqual({
      user: { name: "Ada", email: "ada@example.com", image: null },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(await opened.counts()).toEqual([1, 1, rows(1)])
    expect(await opened.db.account({ provider: "work", providerAccountId: "ada" })).toMatchObject({
      type: "oidc",
      access_token: expect.any(String),
      id_token: expect.any(String),
      expires_at: expect.any(Number),
      token_type: "bearer",
    })
    await visitor.signOut()
    expect(await visitor.session()).toBeNull()
    expect(await opened.counts()).toEqual([1, 1, 0])
    await visitor.signIn(at.work)
    expect(await nameAt(visitor)).toBe("Ada")
    expect(await opened.counts()).toEqual([1, 1, rows(1)])
    expect(at.errors).toEqual([])
  })

  test("an OAuth provider, of a person without an address, twice", async () => {
    const nobody = { sub: "nobody", name: "Nobody" }
    at.club.user(nobody)
    const visitor = at.visitor()
    await visitor.signIn(at.club)
    expect(await nameAt(visitor)).toBe("Nobody")
    at.club.user({ ...nobody, sub: "another" })
    await at.visitor().signIn(at.club)
    expect(await opened.counts()).toEqual([2, 2, rows(2)])
    expect(at.errors).toEqual([])
  })

  test("a link by e-mail: the date of the first one stays", async () => {
    const visitor = at.visitor()
    const link = await at.link(visitor, "Ada@Example.com")
    const first = await visitor.open(link)
    expect(errorOf(first)).toBeNull()
    expect((await visitor.session())?.user?.email).toBe("ada@example.com")
    const stored = await opened.adapter.getUserByEmail?.("ada@example.com")
    expect(stored?.emailVerified).toBeInstanceOf(Date)
    expect(await opened.counts()).toEqual([1, 0, rows(1)])

    expect(errorOf(await at.visitor().open(link)), "used a second time").toBe("Verification")
    await visitor.signOut()
    await visitor.open(await at.link(visitor, "ada@example.com"))
    const again = await opened.adapter.getUserByEmail?.("ada@example.com")
    expect(again).toEqual(stored)
    expect(await opened.counts()).toEqual([1, 0, rows(1)])
  })

  test("a session is extended when it is due, and is over when nobody did so", async () => {
    const visitor = at.visitor()
    const before = Date.now()
    await visitor.signIn(at.work)
    const early = await withClock(before + day / 2, () => visitor.session())
    expect(Date.parse(early?.expires ?? "") - before).toBeLessThan(30 * day + 60_000)
    const late = await withClock(before + 2 * day, () => visitor.session())
    expect(Date.parse(late?.expires ?? "")).toBe(before + 32 * day)
    expect(await withClock(before + 31 * day, () => nameAt(visitor))).toBe("Ada")
    expect(await withClock(before + 65 * day, () => visitor.session())).toBeNull()
    expect(await opened.counts()).toEqual([1, 1, 0])
  })

  test("an update reaches the callback, and what it makes of it reaches the browser", async () => {
    const { config, work } = at
    config.callbacks = {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, name: session.name } : token,
      async session({ session, user, newSession, trigger }) {
        if (strategy === "database" && trigger === "update") {
          const updated = await opened.adapter.updateUser?.({ id: user.id, name: newSession.name })
          return { ...session, user: { name: updated?.name ?? null } }
        }
        return { user: { name: session.user.name ?? null }, expires: session.expires.toString() }
      },
    }
    const visitor = at.visitor()
    await visitor.signIn(work)
    const answer = await visitor.update({ name: "Countess of Lovelace" })
    expect(await answer.json()).toMatchObject({ user: { name: "Countess of Lovelace" } })
    expect(await nameAt(visitor)).toBe("Countess of Lovelace")
  })

  test("another account with the same address is refused, and linked when that was asked for", async () => {
    await at.visitor().signIn(at.work)
    const visitor = at.visitor()
    expect(errorOf(await visitor.signIn(at.club))).toBe("OAuthAccountNotLinked")
    expect(await visitor.session()).toBeNull()
    expect(await opened.counts()).toEqual([1, 1, rows(1)])

    await visitor.signIn(at.work)
    const linked = await visitor.signIn(at.club, { link: "true" })
    expect(errorOf(linked)).toBeNull()
    expect(await opened.counts()).toEqual([1, 2, rows(2)])
    await visitor.signOut()
    await visitor.signIn(at.club)
    expect(await nameAt(visitor)).toBe("Ada")
    expect(await opened.counts()).toEqual([1, 2, rows(2)])
  })

  test("an account of somebody else is not linked", async () => {
    at.club.user(bob)
    await at.visitor().signIn(at.club)
    const visitor = at.visitor()
    await visitor.signIn(at.work)
    expect(errorOf(await visitor.signIn(at.club, { link: "true" }))).toBe("OAuthAccountNotLinked")
    expect(await nameAt(visitor)).toBe("Ada")
    expect(await opened.counts()).toEqual([2, 2, rows(2)])
  })

  test("an account that is deleted can begin anew", async () => {
    const visitor = at.visitor()
    await visitor.signIn(at.work)
    const user = await opened.adapter.getUserByEmail?.("ada@example.com")
    const deletion = (async () => opened.adapter.deleteUser?.(user?.id ?? ""))()
    if (kind.deletesOnlyWithSession && strategy === "jwt") {
      return expect(deletion).rejects.toThrow("Invalid key")
    }
    await deletion
    if (strategy === "database") expect(await visitor.session()).toBeNull()
    const anew = at.visitor()
    expect(errorOf(await anew.signIn(at.work))).toBeNull()
    expect(await nameAt(anew)).toBe("Ada")
    const other = await opened.adapter.getUserByEmail?.("ada@example.com")
    expect(other?.id).not.toBe(user?.id)
    expect(await opened.counts()).toEqual([1, 1, rows(1)])
  })
})
