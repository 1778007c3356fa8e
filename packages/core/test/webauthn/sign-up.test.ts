/** Case 127: who may register, and what a registration leaves behind when something breaks. */
import { type Adapter, isDate } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/providers/passkey"
import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passwords } from "../support/front-door.ts"
import { type PasskeyHouse, passkeyHouse } from "../support/passkey-house.ts"
import { world } from "../support/world.ts"

const email = {
  id: "email",
  name: "Email",
  type: "email" as const,
  sendVerificationRequest: () => {},
}

describe("127 a registration", () => {
  test.each(["ada@example.com", "ADA@Example.com", " ada@example.com"])(
    "127 with the address of a user is refused without their session: %j",
    async (address) => {
      const { person, user, counts, passkeys } = await passkeyHouse()
      await user({ email: "ada@example.com" })
      const mallory = person()
      const answer = await mallory.register(address)
      assertRefused(answer)
      expect(errorOf(answer)).toBe("AccountNotLinked")
      expect(await mallory.browser.session()).toBeNull()
      expect([...counts(), passkeys().length]).toEqual([1, 0, 0, 0, 0])
    },
  )

  test("127 with the address of a user is refused in another user's session, too", async () => {
    const { person, user, counts } = await passkeyHouse()
    await user({ email: "ada@example.com" })
    const mallory = person()
    await mallory.register("mallory@example.com")
    assertRefused(await mallory.register("ada@example.com"))
    expect(await mallory.email()).toBe("mallory@example.com")
    expect(counts().slice(0, 2)).toEqual([2, 1])
  })

  test("127 ids and users in the body are not looked at", async () => {
    const { person, user, rows } = await passkeyHouse()
    const { id } = await user({ email: "ada@example.com" })
    const mallory = person()
    const more = { userId: id, id, user: id, link: "true", email: "ada@example.com" }
    const asked = await mallory.ask({
      action: "register",
      ...more,
      email: "mallory@example.com",
      link: "",
    })
    const answer = await mallory.send("register", await mallory.answer(asked), more)
    expect(errorOf(answer)).toBeNull()
    expect(await mallory.email()).toBe("mallory@example.com")
    expect(rows("Account").map(({ userId }) => userId)).not.toContain(id)
  })

  test("127 does not come in as whoever has its account by then", async () => {
    const house: PasskeyHouse = await passkeyHouse({
      callbacks: {
        async signIn({ account }) {
          // Somebody else was faster with the same id, between the look-up and the end.
          const { id: userId } = await house.user({ email: "ada@example.com" })
          const { provider = "", providerAccountId = "" } = account ?? {}
          const type = "webauthn" as const
          await house.adapter.linkAccount({ type, provider, providerAccountId, userId })
          return true
        },
      },
    })
    const mallory = house.person()
    const answer = await mallory.register("mallory@example.com")
    assertRefused(answer)
    expect(errorOf(answer)).toBe("AccountNotLinked")
    expect(await mallory.browser.session()).toBeNull()
  })

  test.each([
    ["a link by e-mail", email],
    ["a password", passwords()],
  ])(
    "111 keeps no address that nobody proved, where one lets somebody in: %s",
    async (_, other) => {
      const { person, rows, adapter } = await passkeyHouse({
        providers: [passkey(), other],
      })
      const squatter = person()
      const answer = await squatter.enter({
        action: "register",
        email: "ada@example.com",
        name: "Not Ada",
      })
      expect(errorOf(answer)).toBeNull()
      expect(await adapter.getUserByEmail("ada@example.com")).toBeNull()
      expect(rows("User")[0]).toMatchObject({ name: "Not Ada", email: null })
      await squatter.signIn()
      expect(await squatter.browser.session()).toMatchObject({ user: { name: "Not Ada" } })
    },
  )

  test("an address that was typed is not an address that was proved", async () => {
    const { person, rows } = await passkeyHouse()
    await person().register("ada@example.com")
    expect(rows("User")[0]).toMatchObject({ email: "ada@example.com", emailVerified: null })
    expect(isDate(rows("User")[0]?.["emailVerified"])).toBe(false)
  })

  test("an application says itself who is new", async () => {
    const { person, rows } = await passkeyHouse(
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
    const ada = person()
    const asked = await ada.ask({ action: "register", nick: "ada" })
    expect(asked.options?.user).toMatchObject({
      name: "ada of app.example",
      displayName: "ada of app.example",
    })
    await ada.send("register", await ada.answer(asked))
    expect(rows("User")[0]).toMatchObject({ name: "ada of app.example", image: "passkey true" })
  })
})

describe.each([true, false])("119 a fault (user and account stored as one: %s)", (atomic) => {
  const writes: (keyof Adapter)[] = [
    "createVerificationToken",
    "useVerificationToken",
    "getAuthenticator",
    "getAccount",
    "getUserByEmail",
    "getUserByAccount",
    ...(atomic ? (["createUserWithAccount"] as const) : (["createUser", "linkAccount"] as const)),
    "createAuthenticator",
  ]

  test.each(writes)(
    "119 in %s refuses, leaves nothing behind, and a retry succeeds",
    async (method) => {
      const stored = await world({ atomic })
      const { person } = await passkeyHouse({ adapter: stored.adapter })
      const ada = person()
      stored.fail(method)
      const answer = await ada.register("ada@example.com").catch((error: Error) => error)
      if (answer instanceof Response) {
        assertRefused(answer)
        expect(errorOf(answer)).toBe("Configuration")
      } else {
        // The options could not be had: an error page is no JSON.
        expect(answer.message).toMatch(/JSON/)
      }
      expect(await ada.browser.session()).toBeNull()
      expect(stored.counts().slice(0, 3)).toEqual([0, 0, 0])
      expect(stored.rows("Authenticator")).toEqual([])

      expect(errorOf(await ada.register("ada@example.com"))).toBeNull()
      expect(await ada.email()).toBe("ada@example.com")
    },
  )
})

describe("119 a passkey that cannot be stored", () => {
  test("119 signs nobody in even when the user cannot be removed again", async () => {
    const { person, fail, adapter } = await passkeyHouse()
    fail("createAuthenticator")
    fail("deleteUser")
    const ada = person()
    assertRefused(await ada.register("ada@example.com"))
    expect(await ada.browser.session()).toBeNull()
    expect(await adapter.getUserByEmail("ada@example.com")).not.toBeNull()
  })

  test("120 two registrations at once with one address: one user", async () => {
    const { person, rows, passkeys } = await passkeyHouse()
    const people = [person(), person()]
    const answers = await Promise.all(people.map((who) => who.register("ada@example.com")))
    expect(answers.map(errorOf).filter((error) => error === null)).toHaveLength(1)
    expect([rows("User"), rows("Account"), passkeys()].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ])
  })
})
