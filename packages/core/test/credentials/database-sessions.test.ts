import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Authorize, ada, createAuthorizeApp } from "../support/authorize-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const submittedFields = { name: "ada", password: "open sesame" }

/** An application with database sessions and the stored user Ada. */
async function createStoredApp(authorize?: Authorize) {
  const database = await createTestDatabase()
  await database.createUser({ id: "ada" })
  return { ...database, ...createAuthorizeApp(authorize, { adapter: database.adapter }) }
}

describe("credentials with database sessions", () => {
  test("a stored user receives a session, and can end it", async () => {
    const door = await createStoredApp()
    const browser = door.openBrowser()
    await browser.signIn("credentials", submittedFields)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    const [row] = door.rows("Session")
    expect(row).toMatchObject({ userId: "ada" })
    expect(browser.cookies.get("__Secure-authjs.session-token")?.value).toBe(row?.["sessionToken"])
    expect(door.countRows()).toEqual([1, 0, 1, 0])
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    expect(door.countRows()).toEqual([1, 0, 0, 0])
  })

  test.each([
    ["of no user", () => ({ ...ada, id: "nobody" })],
    ["that is missing", () => ({ name: "Ada", email: "ada@example.com" })],
  ])("an id %s is refused, whatever its address, and creates no user", async (_, authorize) => {
    const door = await createStoredApp(authorize)
    const browser = door.openBrowser()
    const response = await browser.signIn("credentials", submittedFields)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(door.log.errorCodes()).toEqual(["CallbackRouteError"])
    expect(await browser.getSession()).toBeNull()
    expect(door.countRows()).toEqual([1, 0, 0, 0])
  })

  test("signing in again ends the old session", async () => {
    const door = await createStoredApp()
    const browser = door.openBrowser()
    await browser.signIn("credentials", submittedFields)
    const old = browser.cookies.get("__Secure-authjs.session-token")?.value
    await browser.signIn("credentials", submittedFields)
    const rows = door.rows("Session")
    expect(rows).toHaveLength(1)
    expect(rows[0]?.["sessionToken"]).not.toBe(old)
  })

  test.each(["getUser", "createSession"] as const)(
    "a fault in %s signs nobody in, and the next attempt succeeds",
    async (method) => {
      const door = await createStoredApp()
      const browser = door.openBrowser()
      door.failMethod(method)
      assertRefused(await browser.signIn("credentials", submittedFields))
      expect(await browser.getSession()).toBeNull()
      await browser.signIn("credentials", submittedFields)
      expect(await browser.getSession()).not.toBeNull()
      expect(door.countRows()).toEqual([1, 0, 1, 0])
    },
  )
})

test("with cookie sessions, the adapter is not called", async () => {
  const database = await createTestDatabase()
  const app = createAuthorizeApp(undefined, {
    adapter: database.adapter,
    session: { strategy: "jwt" },
  })
  const browser = app.openBrowser()
  await browser.signIn("credentials", submittedFields)
  expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
  expect(database.calls).toEqual([])
})
