import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp, type EmailApp } from "../support/email-app.ts"
import type { AdapterMethod } from "../support/test-database.ts"

/** A stored user whose address was never verified. */
async function createAppWithUser() {
  const app = await createEmailApp()
  await app.createUser()
  return app
}

/** Opens a link while a method fails, and again when it works. */
async function openLinkTwice(app: EmailApp, method: AdapterMethod, late = false) {
  const ada = app.openBrowser()
  const link = await app.receiveLink(ada)
  const before = app.countRows()
  app.failMethod(method, { late })
  const response = await ada.open(link)
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  expect(await ada.getSession()).toBeNull()
  const between = app.countRows()
  await ada.open(link)
  expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  return { before, between, after: app.countRows() }
}

describe("a link remains valid after a fault, and leaves no duplicate user, when the fault was in", () => {
  test.each<AdapterMethod>(["useVerificationToken", "getUserByEmail", "createUser"])(
    "%s, for a new user",
    async (method) => {
      const { before, between, after } = await openLinkTwice(await createEmailApp(), method)
      expect(before).toEqual([0, 0, 0, 1])
      expect(between).toEqual([0, 0, 0, 1])
      expect(after).toEqual([1, 0, 1, 0])
    },
  )

  test("createSession, for a new user, who is then complete", async () => {
    const app = await createEmailApp()
    const { between, after } = await openLinkTwice(app, "createSession")
    expect(between).toEqual([1, 0, 0, 1])
    expect(after).toEqual([1, 0, 1, 0])
    expect(app.rows("User")[0]?.["emailVerified"]).not.toBeNull()
  })

  test.each<AdapterMethod>([
    "useVerificationToken",
    "getUserByEmail",
    "updateUser",
    "createSession",
  ])("%s, for an existing user", async (method) => {
    const { before, between, after } = await openLinkTwice(await createAppWithUser(), method)
    expect(before).toEqual([1, 0, 0, 1])
    expect(between).toEqual([1, 0, 0, 1])
    expect(after).toEqual([1, 0, 1, 0])
  })

  test.each<AdapterMethod>(["updateUser", "createSession"])(
    "%s, although the database had committed",
    async (method) => {
      const { after } = await openLinkTwice(await createAppWithUser(), method, true)
      expect([after[0], after[1], after[3]]).toEqual([1, 0, 0])
    },
  )

  test("all methods at once", async () => {
    const app = await createAppWithUser()
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    app.failAllMethods()
    assertRefused(await ada.open(link))
    app.clearFaults()
    await ada.open(link)
    expect(await ada.getSession()).not.toBeNull()
  })
})

test("a link whose token could not be restored asks for a new link", async () => {
  const app = await createAppWithUser()
  const ada = app.openBrowser()
  const link = await app.receiveLink(ada)
  app.failMethod("updateUser")
  app.failMethod("createVerificationToken")
  assertRefused(await ada.open(link))
  const response = await ada.open(link)
  expect(getRedirectError(response)).toBe("Verification")
  const page = await (await ada.followRedirect(response)).text()
  expect(page).toContain("expired or was already used")
})

test("a fault of the `signIn` callback keeps the link valid, and a refusal does not", async () => {
  let mood: "broken" | "strict" | "kind" = "broken"
  const app = await createEmailApp({
    callbacks: {
      signIn({ email }) {
        if (email?.verificationRequest || mood === "kind") return true
        if (mood === "strict") return false
        throw new Error("the list of members is not available")
      },
    },
  })
  const ada = app.openBrowser()
  const link = await app.receiveLink(ada)
  assertRefused(await ada.open(link))
  expect(app.rows("VerificationToken")).toHaveLength(1)
  mood = "kind"
  await ada.open(link)
  expect(await ada.getSession()).not.toBeNull()

  const other = await app.receiveLink(ada)
  mood = "strict"
  assertRefused(await ada.open(other))
  expect(app.rows("VerificationToken")).toEqual([])
})

test.each<AdapterMethod>(["getUserByEmail", "createVerificationToken"])(
  "a request for a link is refused while %s fails, sends nothing, and succeeds afterwards",
  async (method) => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    app.failMethod(method)
    const response = await app.requestLink(ada)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(app.inbox.messages).toEqual([])
    expect(app.countRows()).toEqual([0, 0, 0, 0])
    await ada.open(await app.receiveLink(ada))
    expect(await ada.getSession()).not.toBeNull()
  },
)
