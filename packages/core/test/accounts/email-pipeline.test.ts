/** The parameters of callbacks and events for a sign-in by e-mail: protocol sections 4.4, 5.1 and 8. */
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createCallJournal } from "../support/call-journal.ts"
import { createEmailApp } from "../support/email-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const accountKeys = { provider: "nodemailer", type: "email", providerAccountId: "ada@example.com" }

async function createJournaledApp(strategy: "database" | "jwt") {
  const database = await createTestDatabase()
  const callJournal = createCallJournal(database)
  const app = await createEmailApp({
    adapter: database.adapter,
    session: { strategy },
    ...callJournal.config,
  })
  return { ...app, ...database, notes: callJournal }
}

describe("a first sign-in with a link", () => {
  test.each([
    ["database", ["createUser", "E createUser", "createSession", "E signIn"]],
    ["jwt", ["createUser", "E createUser", "jwt", "E signIn"]],
  ] as const)("calls callbacks, events and adapter in this order: %s", async (strategy, ending) => {
    const app = await createJournaledApp(strategy)
    const browser = app.openBrowser()
    const link = await app.receiveLink(browser)
    expect(app.notes.callOrder()).toEqual(["getUserByEmail", "signIn", "createVerificationToken"])
    app.notes.clear()
    await browser.open(link)
    const twice = ["getUserByEmail", "getUserByEmail"]
    const lookups = ["useVerificationToken", ...twice, "signIn", "getUserByEmail"]
    expect(app.notes.callOrder()).toEqual([...lookups, ...ending])
  })

  test("creates a user with the address and the date, and no account", async () => {
    const app = await createJournaledApp("database")
    const browser = app.openBrowser()
    const link = await app.receiveLink(browser)
    const now = new Date(Math.floor(Date.now() / 1000) * 1000 + 1000)
    await withFrozenTime(now, () => browser.open(link))
    const user = { ...(await app.adapter.getUserByEmail("ada@example.com")) }
    expect(user).toMatchObject({ name: null, email: "ada@example.com", emailVerified: now })
    expect(app.rows("Account")).toEqual([])
    const account = { ...accountKeys, userId: expect.any(String) }
    expect(app.notes.eventCalls("createUser")).toEqual([{ user }])
    expect(app.notes.eventCalls("signIn")).toEqual([{ user, account, isNewUser: true }])
    expect(app.notes.eventCalls("updateUser")).toEqual([])
    expect(app.notes.eventCalls("linkAccount")).toEqual([])
  })

  test("passes the trigger `signUp` to the `jwt` callback, without a profile", async () => {
    const app = await createJournaledApp("jwt")
    const browser = app.openBrowser()
    await browser.open(await app.receiveLink(browser))
    const user = await app.adapter.getUserByEmail("ada@example.com")
    expect(app.notes.callbackCalls("jwt")).toEqual([
      {
        token: { name: null, email: "ada@example.com", picture: null, sub: user?.id },
        user,
        account: { ...accountKeys, userId: expect.any(String) },
        isNewUser: true,
        trigger: "signUp",
      },
    ])
  })
})

describe("`emailVerified`", () => {
  test("is set by the first link that a stored user opens, with an `updateUser` event", async () => {
    const app = await createJournaledApp("database")
    const { id } = await app.createUser()
    const browser = app.openBrowser()
    await browser.open(await app.receiveLink(browser))
    const user = await app.adapter.getUser(id)
    expect(user?.emailVerified).toBeInstanceOf(Date)
    expect(app.notes.eventCalls("updateUser")).toEqual([{ user }])
    const account = { ...accountKeys, userId: id }
    expect(app.notes.eventCalls("signIn")).toEqual([{ user, account, isNewUser: false }])
  })

  test("is never overwritten", async () => {
    const first = new Date("2020-02-02T02:02:02.000Z")
    const app = await createJournaledApp("database")
    const { id } = await app.createUser({ emailVerified: first })
    const browser = app.openBrowser()
    await browser.open(await app.receiveLink(browser))
    expect((await app.adapter.getUser(id))?.emailVerified).toEqual(first)
    expect(app.notes.eventCalls("updateUser")).toEqual([])
    expect(app.notes.callOrder()).not.toContain("updateUser")
  })
})
