/** What callbacks and events are told when somebody comes in by e-mail link: protocol sections 4.4, 5.1 and 8. */
import { withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { journal } from "../support/journal.ts"
import { postOffice } from "../support/post-office.ts"
import { world } from "../support/world.ts"

const keys = { provider: "nodemailer", type: "email", providerAccountId: "ada@example.com" }

async function desk(strategy: "database" | "jwt") {
  const stored = await world()
  const notes = journal(stored)
  const office = await postOffice({
    adapter: stored.adapter,
    session: { strategy },
    ...notes.config,
  })
  return { ...office, ...stored, notes }
}

describe("a first sign-in by link", () => {
  test.each([
    ["database", ["createUser", "E createUser", "createSession", "E signIn"]],
    ["jwt", ["createUser", "E createUser", "jwt", "E signIn"]],
  ] as const)("tells and stores in this order: %s", async (strategy, ending) => {
    const at = await desk(strategy)
    const visitor = at.visitor()
    const link = await at.link(visitor)
    expect(at.notes.order()).toEqual(["getUserByEmail", "signIn", "createVerificationToken"])
    at.notes.forget()
    await visitor.open(link)
    const twice = ["getUserByEmail", "getUserByEmail"]
    const lookups = ["useVerificationToken", ...twice, "signIn", "getUserByEmail"]
    expect(at.notes.order()).toEqual([...lookups, ...ending])
  })

  test("makes a user with the address and the date, and no account", async () => {
    const at = await desk("database")
    const visitor = at.visitor()
    const link = await at.link(visitor)
    const now = new Date(Math.floor(Date.now() / 1000) * 1000 + 1000)
    await withClock(now, () => visitor.open(link))
    const user = { ...(await at.adapter.getUserByEmail("ada@example.com")) }
    expect(user).toMatchObject({ name: null, email: "ada@example.com", emailVerified: now })
    expect(at.rows("Account")).toEqual([])
    const account = { ...keys, userId: expect.any(String) }
    expect(at.notes.event("createUser")).toEqual([{ user }])
    expect(at.notes.event("signIn")).toEqual([{ user, account, isNewUser: true }])
    expect(at.notes.event("updateUser")).toEqual([])
    expect(at.notes.event("linkAccount")).toEqual([])
  })

  test("tells the `jwt` callback that it is a sign-up, without a profile", async () => {
    const at = await desk("jwt")
    const visitor = at.visitor()
    await visitor.open(await at.link(visitor))
    const user = await at.adapter.getUserByEmail("ada@example.com")
    expect(at.notes.told("jwt")).toEqual([
      {
        token: { name: null, email: "ada@example.com", picture: null, sub: user?.id },
        user,
        account: { ...keys, userId: expect.any(String) },
        isNewUser: true,
        trigger: "signUp",
      },
    ])
  })
})

describe("`emailVerified`", () => {
  test("is set by the first link that a stored user opens, who is told of", async () => {
    const at = await desk("database")
    const { id } = await at.user()
    const visitor = at.visitor()
    await visitor.open(await at.link(visitor))
    const user = await at.adapter.getUser(id)
    expect(user?.emailVerified).toBeInstanceOf(Date)
    expect(at.notes.event("updateUser")).toEqual([{ user }])
    const account = { ...keys, userId: id }
    expect(at.notes.event("signIn")).toEqual([{ user, account, isNewUser: false }])
  })

  test("is never overwritten", async () => {
    const first = new Date("2020-02-02T02:02:02.000Z")
    const at = await desk("database")
    const { id } = await at.user({ emailVerified: first })
    const visitor = at.visitor()
    await visitor.open(await at.link(visitor))
    expect((await at.adapter.getUser(id))?.emailVerified).toEqual(first)
    expect(at.notes.event("updateUser")).toEqual([])
    expect(at.notes.order()).not.toContain("updateUser")
  })
})
