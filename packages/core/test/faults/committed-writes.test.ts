/** Databases that commit a write although the connection is lost before they answer. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createLinkingApp } from "../support/linking-app.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

describe("a first sign-in whose user was stored although the call failed", () => {
  test("leaves no user behind that would prevent the next attempt", async () => {
    const app = await createLinkingApp()
    const browser = app.openBrowser()
    app.failMethod("createUser", { late: true })
    assertRefused(await browser.signIn(app.work))
    expect(app.countRows()).toEqual([0, 0, 0, 0])
    await browser.signIn(app.work)
    expect(await browser.getSession()).not.toBeNull()
    expect(app.countRows()).toEqual([1, 1, 1, 0])
  })

  test("signs in if the account was stored with it", async () => {
    const database = await createTestDatabase({ atomic: true })
    const app = await createLinkingApp({ adapter: database.adapter })
    const browser = app.openBrowser()
    database.failMethod("createUserWithAccount", { late: true })
    await browser.signIn(app.work)
    expect(await browser.getSession()).not.toBeNull()
    expect(database.countRows()).toEqual([1, 1, 1, 0])
  })

  test("leaves no user without a passkey behind", async () => {
    const database = await createTestDatabase({ atomic: true })
    const app = await createPasskeyApp({ adapter: database.adapter })
    const browser = app.openPasskeyBrowser()
    database.failMethod("createUserWithAccount", { late: true })
    assertRefused(await browser.register("ada@example.com"))
    expect(database.countRows().slice(0, 3)).toEqual([0, 0, 0])
    await browser.register("ada@example.com")
    expect(await browser.readName()).toBe("ada")
    expect(database.countRows().slice(0, 3)).toEqual([1, 1, 1])
  })
})

test("a passkey that was stored although the call failed is one, because no device creates it again", async () => {
  const app = await createPasskeyApp()
  const ada = app.openPasskeyBrowser()
  app.failMethod("createAuthenticator", { late: true })
  await ada.register("ada@example.com")
  expect(await ada.readName()).toBe("ada")
  await ada.browser.signOut()
  await ada.signIn()
  expect(await ada.readName()).toBe("ada")
  expect(app.listPasskeys()).toHaveLength(1)
})

test("a known passkey whose account the adapter does not find deletes nobody", async () => {
  const app = await createPasskeyApp()
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  const { getUserByAccount } = app.adapter
  app.adapter.getUserByAccount = async () => null
  assertRefused(await ada.signIn())
  app.adapter.getUserByAccount = getUserByAccount
  expect(app.countRows().slice(0, 2)).toEqual([1, 1])
  expect(await ada.readName()).toBe("ada")
})
