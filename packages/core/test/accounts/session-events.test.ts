import { describe, expect, test } from "vitest"
import { createCallJournal } from "../support/call-journal.ts"
import { bob, createLinkingApp } from "../support/linking-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

async function createSignedInApp(strategy: "database" | "jwt", options = {}) {
  const database = await createTestDatabase()
  const callJournal = createCallJournal(database)
  const changes = { adapter: database.adapter, session: { strategy }, ...callJournal.config }
  const app = await createLinkingApp(changes, options)
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  callJournal.clear()
  return { ...app, ...database, notes: callJournal, person: browser }
}

describe("the event of a sign-out", () => {
  test("holds the session that was deleted, with sessions in a database", async () => {
    const app = await createSignedInApp("database")
    const [row] = app.rows("Session")
    await app.person.signOut()
    expect(app.notes.eventCalls("signOut")).toEqual([
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
    const app = await createSignedInApp("jwt")
    await app.person.signOut()
    expect(app.notes.eventCalls("signOut")).toEqual([
      { token: expect.objectContaining({ email: "ada@example.com", sub: expect.any(String) }) },
    ])
  })

  test.each(["database", "jwt"] as const)(
    "does not fire when nobody is there (%s)",
    async (strategy) => {
      const app = await createSignedInApp(strategy)
      await app.openBrowser().signOut()
      expect(app.notes.eventCalls("signOut")).toEqual([])
    },
  )
})

describe("the event of a session check", () => {
  const received = { user: expect.objectContaining({ email: "ada@example.com" }) }

  test("holds what was given out, with sessions in a database", async () => {
    const app = await createSignedInApp("database")
    await app.person.getSession()
    expect(app.notes.eventCalls("session")).toEqual([
      { session: expect.objectContaining(received) },
    ])
    expect(JSON.stringify(app.notes.eventCalls("session"))).not.toContain(
      app.rows("Session")[0]?.["sessionToken"],
    )
  })

  test("holds the claims too, with sessions in a cookie", async () => {
    const app = await createSignedInApp("jwt")
    await app.person.getSession()
    expect(app.notes.eventCalls("session")).toEqual([
      {
        session: expect.objectContaining(received),
        token: expect.objectContaining({ sub: expect.any(String) }),
      },
    ])
  })
})

describe("the events of an account that is added", () => {
  test("tell of the account, and of no new user, when it was asked for", async () => {
    const app = await createSignedInApp("database")
    app.club.setUser(bob)
    await app.person.signIn(app.club, { link: "true" })
    const [user] = app.rows("User")
    expect(app.notes.callOrder().filter((name) => name.startsWith("E "))).toEqual([
      "E linkAccount",
      "E signIn",
    ])
    expect(app.notes.eventCalls("linkAccount")).toMatchObject([
      { user: { id: user?.["id"] }, account: { provider: "club" }, profile: { name: "Bob" } },
    ])
    expect(app.notes.eventCalls("signIn")).toMatchObject([
      { user: { id: user?.["id"] }, isNewUser: false },
    ])
  })

  test("tell of the account, and of no new user, when the address joined it", async () => {
    const app = await createSignedInApp("database", { allowDangerousEmailAccountLinking: true })
    await app.openBrowser().signIn(app.club)
    expect(app.notes.eventCalls("createUser")).toEqual([])
    expect(app.notes.eventCalls("linkAccount")).toMatchObject([{ account: { provider: "club" } }])
    expect(app.notes.eventCalls("signIn")).toMatchObject([{ isNewUser: false }])
  })

  test("say nothing when it is refused", async () => {
    const app = await createSignedInApp("database")
    await app.openBrowser().signIn(app.club)
    expect(app.notes.callOrder().filter((name) => name.startsWith("E "))).toEqual([])
  })
})
