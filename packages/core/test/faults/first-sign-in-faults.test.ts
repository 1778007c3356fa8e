import { assertRefused, getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"
import type { AdapterMethod } from "../support/test-database.ts"

/** Signs in while a method fails, then again; returns the rows in between. */
async function signInTwice(
  app: LinkingApp,
  browser: TestBrowser,
  method: AdapterMethod,
  late = false,
) {
  app.failMethod(method, { late })
  const response = await browser.signIn(app.work)
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  expect(app.log.errorCodes()).toEqual(["AdapterError"])
  expect(await browser.getSession()).toBeNull()
  const between = app.countRows()
  await browser.signIn(app.work)
  expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  return between
}

describe("a fault at a first sign-in leaves nothing incomplete, and the next attempt succeeds", () => {
  test.each<AdapterMethod>(["getUserByAccount", "getUserByEmail", "createUser", "linkAccount"])(
    "%s",
    async (method) => {
      const app = await createLinkingApp()
      expect(await signInTwice(app, app.openBrowser(), method)).toEqual([0, 0, 0, 0])
      expect(app.countRows()).toEqual([1, 1, 1, 0])
    },
  )

  test("createSession: the user is complete, and has no session", async () => {
    const app = await createLinkingApp()
    expect(await signInTwice(app, app.openBrowser(), "createSession")).toEqual([1, 1, 0, 0])
    expect(app.countRows()).toEqual([1, 1, 1, 0])
  })

  test("linkAccount, although the database had committed", async () => {
    const app = await createLinkingApp()
    expect(await signInTwice(app, app.openBrowser(), "linkAccount", true)).toEqual([0, 0, 0, 0])
    expect(app.countRows()).toEqual([1, 1, 1, 0])
  })

  test("linkAccount, and the user cannot be deleted either: both faults are logged", async () => {
    const app = await createLinkingApp()
    app.failMethod("linkAccount")
    app.failMethod("deleteUser")
    const browser = app.openBrowser()
    assertRefused(await browser.signIn(app.work))
    expect(app.log.errorCodes()).toEqual(["AdapterError", "AdapterError"])
    expect(await browser.getSession()).toBeNull()
  })

  test("all methods, and no event is emitted", async () => {
    const announced: string[] = []
    const app = await createLinkingApp({
      events: {
        createUser: () => void announced.push("createUser"),
        linkAccount: () => void announced.push("linkAccount"),
        signIn: () => void announced.push("signIn"),
      },
    })
    const browser = app.openBrowser()
    for (const method of ["createUser", "linkAccount"] as const) {
      app.failMethod(method)
      assertRefused(await browser.signIn(app.work))
    }
    expect(announced).toEqual([])
    await browser.signIn(app.work)
    expect(announced).toEqual(["createUser", "linkAccount", "signIn"])
  })
})

describe("a fault at a later sign-in changes nothing, and the next attempt succeeds", () => {
  test.each<AdapterMethod>(["getUserByAccount", "createSession"])("%s", async (method) => {
    const app = await createLinkingApp()
    await app.openBrowser().signIn(app.work)
    const before = app.countRows()
    expect(await signInTwice(app, app.openBrowser(), method)).toEqual(before)
    expect(app.countRows()).toEqual([1, 1, 2, 0])
  })
})

test("a missing method that is needed is handled like any other fault", async () => {
  const app = await createLinkingApp()
  const { deleteUser: _, ...adapter } = app.adapter
  app.config.adapter = adapter
  app.failMethod("linkAccount")
  const browser = app.openBrowser()
  assertRefused(await browser.signIn(app.work))
  expect(await browser.getSession()).toBeNull()
})

describe("a signed-in user whose new sign-in fails stays signed in", () => {
  test.each<AdapterMethod>([
    "getUserByAccount",
    "getUserByEmail",
    "createUser",
    "linkAccount",
    "createSession",
  ])("%s", async (method) => {
    const app = await createLinkingApp()
    app.work.setUser(ada)
    app.club.setUser(bob)
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    app.failMethod(method)
    assertRefused(await browser.signIn(app.club))
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
    await browser.signIn(app.club)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Bob" } })
    expect(app.countRows()).toEqual([2, 2, 1, 0])
  })

  test("deleteSession of the old session: the new one is valid", async () => {
    const app = await createLinkingApp()
    app.club.setUser(bob)
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    app.failMethod("deleteSession")
    await browser.signIn(app.club)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Bob" } })
    expect(app.log.errorCodes()).toEqual(["AdapterError"])
  })
})

test("a database that cannot read the session prevents an account from being linked", async () => {
  const app = await createLinkingApp()
  app.club.setUser(bob)
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  const comeback = app.club.approve(await browser.startSignIn(app.club, { link: "true" }))
  app.failMethod("getSessionAndUser", { times: 3 })
  const response = await browser.open(comeback)
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  app.clearFaults()
  expect(app.listAccounts()).toHaveLength(1)
  expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
})
