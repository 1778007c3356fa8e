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

describe("the signOut event", () => {
  test("has the deleted session with database sessions", async () => {
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

  test("has the claims with cookie sessions", async () => {
    const app = await createSignedInApp("jwt")
    await app.person.signOut()
    expect(app.notes.eventCalls("signOut")).toEqual([
      { token: expect.objectContaining({ email: "ada@example.com", sub: expect.any(String) }) },
    ])
  })

  test.each(["database", "jwt"] as const)(
    "is not emitted if nobody is signed in (%s)",
    async (strategy) => {
      const app = await createSignedInApp(strategy)
      await app.openBrowser().signOut()
      expect(app.notes.eventCalls("signOut")).toEqual([])
    },
  )
})

describe("the session event", () => {
  const received = { user: expect.objectContaining({ email: "ada@example.com" }) }

  test("has the returned session with database sessions", async () => {
    const app = await createSignedInApp("database")
    await app.person.getSession()
    expect(app.notes.eventCalls("session")).toEqual([
      { session: expect.objectContaining(received) },
    ])
    expect(JSON.stringify(app.notes.eventCalls("session"))).not.toContain(
      app.rows("Session")[0]?.["sessionToken"],
    )
  })

  test("also has the claims with cookie sessions", async () => {
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

describe("the events of a linked account", () => {
  test("include linkAccount but not createUser if linking was requested", async () => {
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

  test("include linkAccount but not createUser if it was linked by address", async () => {
    const app = await createSignedInApp("database", { allowDangerousEmailAccountLinking: true })
    await app.openBrowser().signIn(app.club)
    expect(app.notes.eventCalls("createUser")).toEqual([])
    expect(app.notes.eventCalls("linkAccount")).toMatchObject([{ account: { provider: "club" } }])
    expect(app.notes.eventCalls("signIn")).toMatchObject([{ isNewUser: false }])
  })

  test("are not emitted if linking is refused", async () => {
    const app = await createSignedInApp("database")
    await app.openBrowser().signIn(app.club)
    expect(app.notes.callOrder().filter((name) => name.startsWith("E "))).toEqual([])
  })
})
