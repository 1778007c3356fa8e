import type { AdapterUser } from "@latchkey/core/adapters"
import { assertRefused, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { bob, linkingHouse } from "../support/linking-house.ts"

const name = "__Secure-authjs.session-token"
const origin = "https://app.example"
const day = 86_400_000

async function inside() {
  const house = await linkingHouse()
  const visitor = house.visitor()
  await visitor.signIn(house.work)
  const token = String(visitor.cookies.get(name)?.value)
  return { ...house, person: visitor, token }
}

function rowTokens({ rows }: Awaited<ReturnType<typeof inside>>): unknown[] {
  return rows("Session").map(({ sessionToken }) => sessionToken)
}

describe("115 a session token", () => {
  test("that was planted is not adopted", async () => {
    const house = await inside()
    const victim = house.visitor()
    const planted = "planted-by-somebody-else-0123456789"
    victim.cookies.plant(origin, `${name}=${planted}; Path=/; Secure; HttpOnly`)
    await victim.signIn(house.work)
    expect(victim.cookies.get(name)?.value).not.toBe(planted)
    expect(rowTokens(house)).not.toContain(planted)
  })

  test("of somebody else that was planted does not gain the new identity", async () => {
    const house = await inside()
    house.club.user(bob)
    const victim = house.visitor()
    victim.cookies.plant(origin, `${name}=${house.token}; Path=/; Secure; HttpOnly`)
    await victim.signIn(house.club)
    expect(await victim.session()).toMatchObject({ user: { name: "Bob" } })
    expect(await house.person.session()).toBeNull()
    expect(rowTokens(house)).not.toContain(house.token)
  })

  test("is new at every sign-in, and the old row goes", async () => {
    const house = await inside()
    await house.person.signIn(house.work)
    const renewed = house.person.cookies.get(name)?.value
    expect(renewed).not.toBe(house.token)
    expect(rowTokens(house)).toEqual([renewed])
  })
})

describe("116 a sign-out", () => {
  test("deletes the row, so that the old cookie is dead", async () => {
    const house = await inside()
    await house.person.signOut()
    expect(house.rows("Session")).toEqual([])
    const thief = house.visitor()
    thief.cookies.plant(origin, `${name}=${house.token}; Path=/; Secure; HttpOnly`)
    expect(await thief.session()).toBeNull()
  })

  test("that cannot delete it does not say that it did, and succeeds when tried again", async () => {
    const house = await inside()
    house.fail("deleteSession")
    const answer = await house.person.signOut()
    assertRefused(answer)
    expect(house.log.errors()).toEqual(["SignOutError"])
    expect(await house.person.session()).not.toBeNull()
    await house.person.signOut()
    expect(await house.person.session()).toBeNull()
    expect(house.rows("Session")).toEqual([])
  })
})

describe("117 a row", () => {
  test("that has expired is nobody's, and is removed", async () => {
    const house = await inside()
    const late = house.visitor({ now: () => 0 })
    late.cookies.plant(origin, `${name}=${house.token}; Path=/; Secure; HttpOnly`)
    await withClock(Date.now() + 31 * day, async () => {
      expect(await late.session()).toBeNull()
    })
    expect(house.rows("Session")).toEqual([])
    expect(late.cookies.has(name)).toBe(false)
  })

  test("that has expired is nobody's although it cannot be removed", async () => {
    const house = await inside()
    const late = house.visitor({ now: () => 0 })
    late.cookies.plant(origin, `${name}=${house.token}; Path=/; Secure; HttpOnly`)
    house.fail("deleteSession")
    await withClock(Date.now() + 31 * day, async () => {
      expect(await late.session()).toBeNull()
    })
  })

  test("of a user who was deleted is nobody's", async () => {
    const house = await inside()
    await house.adapter.deleteUser(String(house.rows("User")[0]?.["id"]))
    expect(await house.person.session()).toBeNull()
    expect(house.person.cookies.has(name)).toBe(false)
  })

  test("of nobody, from a database without foreign keys, is nobody's", async () => {
    const house = await inside()
    const real = house.adapter.getSessionAndUser
    house.adapter.getSessionAndUser = async (token) => {
      const found = await real(token)
      return found && { ...found, user: null as unknown as AdapterUser }
    }
    expect(await house.person.session()).toBeNull()
  })
})

describe("118 a fault while a session is", () => {
  test("read: no session, the cookie is kept, the error is logged, the next read succeeds", async () => {
    const house = await inside()
    house.fail("getSessionAndUser")
    const answer = await house.person.fetch("/auth/session")
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ message: expect.any(String) })
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith(name))).toEqual([])
    expect(house.log.errors()).toEqual(["SessionTokenError"])
    expect(await house.person.session()).not.toBeNull()
  })

  test("renewed: the session is given out all the same, and renewed the next time", async () => {
    const house = await inside()
    const expires = () => Number(house.rows("Session")[0]?.["expires"])
    const before = expires()
    house.fail("updateSession")
    await withClock(Date.now() + 2 * day, async () => {
      expect(await house.person.session()).toMatchObject({ user: { name: expect.any(String) } })
      expect(expires()).toBe(before)
      expect(await house.person.session()).not.toBeNull()
      expect(expires()).toBeGreaterThan(before)
    })
    expect(house.log.errors()).toEqual(["AdapterError"])
  })
})

test("121 a token that no session could have is not sent to the database", async () => {
  const house = await inside()
  const visitor = house.visitor()
  for (const length of [8_193, 20_000]) {
    house.calls.length = 0
    const cookie = `${name}=${"x".repeat(length)}`
    const answer = await visitor.fetch("/auth/session", { headers: { cookie } })
    expect(await answer.json()).toBeNull()
    expect(house.calls).toEqual([])
  }
})
