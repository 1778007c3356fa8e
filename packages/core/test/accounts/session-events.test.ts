import { describe, expect, test } from "vitest"
import { journal } from "../support/journal.ts"
import { bob, linkingHouse } from "../support/linking-house.ts"
import { world } from "../support/world.ts"

async function desk(strategy: "database" | "jwt", options = {}) {
  const stored = await world()
  const notes = journal(stored)
  const changes = { adapter: stored.adapter, session: { strategy }, ...notes.config }
  const house = await linkingHouse(changes, options)
  const visitor = house.visitor()
  await visitor.signIn(house.work)
  notes.forget()
  return { ...house, ...stored, notes, person: visitor }
}

describe("the event of a sign-out", () => {
  test("holds the session that was deleted, with sessions in a database", async () => {
    const at = await desk("database")
    const [row] = at.rows("Session")
    await at.person.signOut()
    expect(at.notes.event("signOut")).toEqual([
      {
        session: {
          sessionToken: row?.["sessionToken"],
          userId: row?.["userId"],
          expires: new Date(Number(row?.["expires"])),
        },
      },
    ])
  })

  test("holds the claims, with sessions in a cookie", async () => {
    const at = await desk("jwt")
    await at.person.signOut()
    expect(at.notes.event("signOut")).toEqual([
      { token: expect.objectContaining({ email: "ada@example.com", sub: expect.any(String) }) },
    ])
  })

  test.each(["database", "jwt"] as const)(
    "does not fire when nobody is there (%s)",
    async (strategy) => {
      const at = await desk(strategy)
      await at.visitor().signOut()
      expect(at.notes.event("signOut")).toEqual([])
    },
  )
})

describe("the event of a session check", () => {
  const given = { user: expect.objectContaining({ email: "ada@example.com" }) }

  test("holds what was given out, with sessions in a database", async () => {
    const at = await desk("database")
    await at.person.session()
    expect(at.notes.event("session")).toEqual([{ session: expect.objectContaining(given) }])
    expect(JSON.stringify(at.notes.event("session"))).not.toContain(
      at.rows("Session")[0]?.["sessionToken"],
    )
  })

  test("holds the claims too, with sessions in a cookie", async () => {
    const at = await desk("jwt")
    await at.person.session()
    expect(at.notes.event("session")).toEqual([
      {
        session: expect.objectContaining(given),
        token: expect.objectContaining({ sub: expect.any(String) }),
      },
    ])
  })
})

describe("the events of an account that is added", () => {
  test("tell of the account, and of no new user, when it was asked for", async () => {
    const at = await desk("database")
    at.club.user(bob)
    await at.person.signIn(at.club, { link: "true" })
    const [user] = at.rows("User")
    expect(at.notes.order().filter((name) => name.startsWith("E "))).toEqual([
      "E linkAccount",
      "E signIn",
    ])
    expect(at.notes.event("linkAccount")).toMatchObject([
      { user: { id: user?.["id"] }, account: { provider: "club" }, profile: { name: "Bob" } },
    ])
    expect(at.notes.event("signIn")).toMatchObject([
      { user: { id: user?.["id"] }, isNewUser: false },
    ])
  })

  test("tell of the account, and of no new user, when the address joined it", async () => {
    const at = await desk("database", { allowDangerousEmailAccountLinking: true })
    await at.visitor().signIn(at.club)
    expect(at.notes.event("createUser")).toEqual([])
    expect(at.notes.event("linkAccount")).toMatchObject([{ account: { provider: "club" } }])
    expect(at.notes.event("signIn")).toMatchObject([{ isNewUser: false }])
  })

  test("say nothing when it is refused", async () => {
    const at = await desk("database")
    await at.visitor().signIn(at.club)
    expect(at.notes.order().filter((name) => name.startsWith("E "))).toEqual([])
  })
})
