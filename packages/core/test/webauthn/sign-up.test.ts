/** Case 127: who can register, and what remains after a failed registration. */
import type { Adapter } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/providers/passkey"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp, type PasskeyApp } from "../support/passkey-app.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { passwordProvider } from "../support/test-site.ts"

const emailProvider = {
  id: "email",
  name: "Email",
  type: "email" as const,
  sendVerificationRequest: () => {},
}

describe("a registration", () => {
  test.each(["ada@example.com", "ADA@Example.com", " ada@example.com"])(
    "with the address of an existing user is refused without their session: %j",
    async (address) => {
      const { openPasskeyBrowser, createUser, countRows, listPasskeys } = await createPasskeyApp()
      await createUser({ email: "ada@example.com" })
      const mallory = openPasskeyBrowser()
      const response = await mallory.register(address)
      assertRefused(response)
      expect(getRedirectError(response)).toBe("AccountNotLinked")
      expect(await mallory.browser.getSession()).toBeNull()
      // The used challenge is stored, and nothing else.
      expect([...countRows(), listPasskeys().length]).toEqual([1, 0, 0, 1, 0])
    },
  )

  test("with the address of an existing user is also refused in another user's session", async () => {
    const { openPasskeyBrowser, createUser, countRows } = await createPasskeyApp()
    await createUser({ email: "ada@example.com" })
    const mallory = openPasskeyBrowser()
    await mallory.register("mallory@example.com")
    assertRefused(await mallory.register("ada@example.com"))
    expect(await mallory.readName()).toBe("mallory")
    expect(countRows().slice(0, 2)).toEqual([2, 1])
  })

  test("ignores ids and users in the body", async () => {
    const { openPasskeyBrowser, createUser, rows } = await createPasskeyApp()
    const { id } = await createUser({ email: "ada@example.com" })
    const mallory = openPasskeyBrowser()
    const more = { userId: id, id, user: id, link: "true", email: "ada@example.com" }
    const asked = await mallory.requestOptions({
      action: "register",
      ...more,
      email: "mallory@example.com",
      name: "mallory",
      link: "",
    })
    const response = await mallory.sendResponse(
      "register",
      await mallory.createResponse(asked),
      more,
    )
    expect(getRedirectError(response)).toBeNull()
    expect(await mallory.readName()).toBe("mallory")
    expect(rows("Account").map(({ userId }) => userId)).not.toContain(id)
  })

  test("does not sign in as a user who was given its account meanwhile", async () => {
    const app: PasskeyApp = await createPasskeyApp({
      callbacks: {
        async signIn({ account }) {
          // Another registration stores the same id after the look-up.
          const { id: userId } = await app.createUser({ email: "ada@example.com" })
          const { provider = "", providerAccountId = "" } = account ?? {}
          const type = "webauthn" as const
          await app.adapter.linkAccount({ type, provider, providerAccountId, userId })
          return true
        },
      },
    })
    const mallory = app.openPasskeyBrowser()
    const response = await mallory.register("mallory@example.com")
    assertRefused(response)
    expect(getRedirectError(response)).toBe("AccountNotLinked")
    expect(await mallory.browser.getSession()).toBeNull()
  })

  test.each([
    ["a link by e-mail", emailProvider],
    ["a password", passwordProvider()],
  ])("stores no unverified address if addresses identify users: %s", async (_, other) => {
    const { openPasskeyBrowser, rows, adapter } = await createPasskeyApp({
      providers: [passkey(), other],
    })
    const squatter = openPasskeyBrowser()
    const response = await squatter.runCeremony({
      action: "register",
      email: "ada@example.com",
      name: "Not Ada",
    })
    expect(getRedirectError(response)).toBeNull()
    expect(await adapter.getUserByEmail("ada@example.com")).toBeNull()
    expect(rows("User")[0]).toMatchObject({ name: "Not Ada", email: null })
    await squatter.signIn()
    expect(await squatter.browser.getSession()).toMatchObject({ user: { name: "Not Ada" } })
  })

  test("can get the new user from the application", async () => {
    const { openPasskeyBrowser, rows } = await createPasskeyApp(
      {},
      {
        formFields: { nick: { label: "Nick", autocomplete: "username webauthn" } },
        getUserInfo: ({ fields, url, provider }, request) => ({
          exists: false,
          user: {
            name: `${fields["nick"]} of ${url.host}`,
            image: `${provider["id"]} ${request.url.length > 0}`,
          },
        }),
      },
    )
    const ada = openPasskeyBrowser()
    const asked = await ada.requestOptions({ action: "register", nick: "ada" })
    expect(asked.options?.user).toMatchObject({
      name: "ada of app.example",
      displayName: "ada of app.example",
    })
    await ada.sendResponse("register", await ada.createResponse(asked))
    expect(rows("User")[0]).toMatchObject({ name: "ada of app.example", image: "passkey true" })
  })

  test.each(["", "a".repeat(513)])(
    "does not pass on a field that is empty or too long",
    async (nick) => {
      const received: object[] = []
      const { openPasskeyBrowser } = await createPasskeyApp(
        {},
        {
          formFields: { nick: { label: "Nick", autocomplete: "username webauthn" } },
          getUserInfo({ fields }) {
            received.push(fields)
            return { exists: false, user: { name: "ada" } }
          },
        },
      )
      await openPasskeyBrowser().requestOptions({ action: "register", nick, mail: "a" })
      expect(received).toEqual([{ mail: "a" }])
    },
  )
})

describe.each([true, false])("a fault (user and account stored as one: %s)", (atomic) => {
  const writes: (keyof Adapter)[] = [
    "createVerificationToken",
    "getAuthenticator",
    "getAccount",
    "getUserByEmail",
    "getUserByAccount",
    ...(atomic ? (["createUserWithAccount"] as const) : (["createUser", "linkAccount"] as const)),
    "createAuthenticator",
  ]

  test.each(writes)(
    "in %s refuses, leaves nothing behind, and a retry succeeds",
    async (method) => {
      const database = await createTestDatabase({ atomic })
      const { openPasskeyBrowser } = await createPasskeyApp({ adapter: database.adapter })
      const ada = openPasskeyBrowser()
      database.failMethod(method)
      const response = await ada.register("ada@example.com")
      assertRefused(response)
      expect(getRedirectError(response)).toBe("Configuration")
      expect(await ada.browser.getSession()).toBeNull()
      expect(database.countRows().slice(0, 3)).toEqual([0, 0, 0])
      expect(database.rows("Authenticator")).toEqual([])

      expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
      expect(await ada.readName()).toBe("ada")
    },
  )
})

describe("a passkey that cannot be stored", () => {
  test("signs nobody in even if the user cannot be deleted again", async () => {
    const { openPasskeyBrowser, failMethod, rows } = await createPasskeyApp()
    failMethod("createAuthenticator")
    failMethod("deleteUser")
    const ada = openPasskeyBrowser()
    assertRefused(await ada.register("ada@example.com"))
    expect(await ada.browser.getSession()).toBeNull()
    expect(rows("User")).toHaveLength(1)
  })

  test("two concurrent registrations with one typed address create two users without it", async () => {
    const { openPasskeyBrowser, rows, listPasskeys } = await createPasskeyApp()
    const people = [openPasskeyBrowser(), openPasskeyBrowser()]
    const responses = await Promise.all(
      people.map((passkeyBrowser) => passkeyBrowser.register("ada@example.com")),
    )
    expect(responses.map(getRedirectError)).toEqual([null, null])
    expect([rows("User"), rows("Account"), listPasskeys()].map(({ length }) => length)).toEqual([
      2, 2, 2,
    ])
    expect(rows("User")).toMatchObject([{ email: null }, { email: null }])
  })
})
