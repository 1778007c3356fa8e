/** Adding a passkey to the signed-in user: only on request, and only in the same session. */
import { assertRefused, createVirtualAuthenticator, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const strategies = ["database", "jwt"] as const
const sessionCookieName = "__Secure-authjs.session-token"
const addPasskeyFields = { action: "register", link: "true" }

async function registerAda(strategy: "database" | "jwt", changes: Partial<TestAppConfig> = {}) {
  const app = await createPasskeyApp({ session: { strategy }, ...changes })
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  const id = String(app.rows("User")[0]?.["id"])
  /** Ada's browser with a second authenticator. */
  const second = new PasskeyBrowser(ada.browser, createVirtualAuthenticator())
  const owners = () => app.listPasskeys().map(({ userId }) => userId)
  return { ...app, ada, second, id, owners }
}

describe.each(strategies)("adding a passkey (%s)", (strategy) => {
  test("gives the user two passkeys, and either signs the user in", async () => {
    const { second, ada, owners, id, rows, countRows } = await registerAda(strategy)
    const asked = await second.requestOptions(addPasskeyFields)
    expect(asked.options?.user).toMatchObject({ name: "ada" })
    const response = await second.sendResponse("register", await second.createResponse(asked))
    expect(getRedirectError(response)).toBeNull()
    expect(owners()).toEqual([id, id])
    expect(countRows().slice(0, 2)).toEqual([1, 2])
    expect(rows("Account").map(({ type }) => type)).toEqual(["webauthn", "webauthn"])
    for (const each of [second, ada]) {
      await ada.browser.signOut()
      expect(getRedirectError(await each.signIn())).toBeNull()
      expect(await each.readName()).toBe("ada")
    }
  })

  test("can be requested without an address", async () => {
    const { second, owners, id } = await registerAda(strategy)
    expect(getRedirectError(await second.runCeremony({ action: "register" }))).toBeNull()
    expect(owners()).toEqual([id, id])
  })

  test("excludes existing passkeys, so that no device creates a second one", async () => {
    const { ada } = await registerAda(strategy)
    const asked = await ada.requestOptions(addPasskeyFields)
    expect(asked.options?.excludeCredentials).toMatchObject([{ id: ada.device.passkeys[0]?.id }])
    await expect(ada.createResponse(asked)).rejects.toThrow(DOMException)
  })

  test("with an address in the form registers a new user instead", async () => {
    const { second, owners, id, countRows } = await registerAda(strategy)
    await second.register("bob@example.com")
    expect(await second.readName()).toBe("bob")
    expect(owners()).toEqual([id, expect.not.stringContaining(id)])
    expect(countRows()[0]).toBe(2)
  })

  test("is refused if the user signed out meanwhile", async () => {
    const { second, owners, id } = await registerAda(strategy)
    const data = await second.createResponse(await second.requestOptions(addPasskeyFields))
    await second.browser.signOut()
    const response = await second.sendResponse("register", data)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("AccountNotLinked")
    // The page that asked, not the sign-in page.
    expect(new URL(response.headers.get("location") ?? "").pathname).toBe("/")
    expect(owners()).toEqual([id])
    expect(await second.browser.getSession()).toBeNull()
  })

  test("is refused if another user signed in meanwhile", async () => {
    const { second, owners, id, openPasskeyBrowser } = await registerAda(strategy)
    const data = await second.createResponse(await second.requestOptions(addPasskeyFields))
    const bob = openPasskeyBrowser()
    await bob.register("bob@example.com")
    await new PasskeyBrowser(second.browser, bob.device).signIn()
    assertRefused(await second.sendResponse("register", data))
    expect(owners().filter((owner) => owner === id)).toHaveLength(1)
    expect(await second.readName()).toBe("bob")
  })

  test("is refused for a planted session", async () => {
    const { second, owners, openPasskeyBrowser } = await registerAda(strategy)
    const data = await second.createResponse(await second.requestOptions(addPasskeyFields))
    const mallory = openPasskeyBrowser()
    await mallory.register("mallory@example.com")
    const planted = mallory.browser.cookies.get(sessionCookieName)?.value ?? ""
    second.browser.cookies.setUnchecked(
      "https://app.example",
      `${sessionCookieName}=${planted}; Path=/; Secure; HttpOnly`,
    )
    assertRefused(await second.sendResponse("register", data))
    expect(owners()).toHaveLength(2)
  })

  test("is refused if the user was deleted meanwhile", async () => {
    const { second, adapter, id, countRows, listPasskeys } = await registerAda(strategy)
    const data = await second.createResponse(await second.requestOptions(addPasskeyFields))
    await adapter.deleteUser(id)
    assertRefused(await second.sendResponse("register", data))
    expect([...countRows().slice(0, 3), listPasskeys().length]).toEqual([0, 0, 0, 0])
  })

  test("a fault leaves neither account nor passkey, signs nobody out, and a retry succeeds", async () => {
    for (const method of ["linkAccount", "createAuthenticator"] as const) {
      const { second, countRows, failMethod, owners, id, ada } = await registerAda(strategy)
      failMethod(method)
      const response = await second.runCeremony(addPasskeyFields)
      assertRefused(response)
      expect(getRedirectError(response)).toBe("Configuration")
      expect(countRows().slice(0, 2)).toEqual([1, 1])
      expect(owners()).toEqual([id])
      expect(await ada.readName()).toBe("ada")
      expect(getRedirectError(await second.runCeremony(addPasskeyFields))).toBeNull()
      expect(owners()).toEqual([id, id])
    }
  })

  test("a passkey of another user signs that user in, and links nothing", async () => {
    const { ada, openPasskeyBrowser, owners, id } = await registerAda(strategy)
    const bob = openPasskeyBrowser()
    await bob.register("bob@example.com")
    await new PasskeyBrowser(ada.browser, bob.device).signIn()
    expect(await ada.readName()).toBe("bob")
    expect(owners().filter((owner) => owner === id)).toHaveLength(1)
  })

  test('with `accountLinking: "signed-in"`, every registration of a signed-in user adds a passkey', async () => {
    const { second, owners, id } = await registerAda(strategy, { accountLinking: "signed-in" })
    await second.register("bob@example.com")
    expect(await second.readName()).toBe("ada")
    expect(owners()).toEqual([id, id])
  })

  test('with `accountLinking: "signed-in"`, a new user can still register', async () => {
    const { openPasskeyBrowser, countRows } = await registerAda(strategy, {
      accountLinking: "signed-in",
    })
    expect(getRedirectError(await openPasskeyBrowser().register("bob@example.com"))).toBeNull()
    expect(countRows()[0]).toBe(2)
  })
})

test("a user without an address adds a passkey under their name", async () => {
  const { openPasskeyBrowser, adapter } = await createPasskeyApp(
    {},
    { getUserInfo: ({ fields }) => ({ exists: false, user: { name: fields["name"] ?? null } }) },
  )
  const ada = openPasskeyBrowser()
  await ada.runCeremony({ action: "register", name: "Ada" })
  const asked = await new PasskeyBrowser(ada.browser).requestOptions(addPasskeyFields)
  expect(asked.options?.user).toMatchObject({ name: "Ada", displayName: "Ada" })
  expect(await adapter.getUserByEmail("")).toBeNull()
})
