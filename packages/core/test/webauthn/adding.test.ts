/** A passkey added to the user who is signed in: asked for, and by that very session. */
import { assertRefused, errorOf, softAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { ApplicationConfig } from "../support/application.ts"
import { PasskeyPerson, passkeyHouse } from "../support/passkey-house.ts"

const strategies = ["database", "jwt"] as const
const sessionName = "__Secure-authjs.session-token"
const add = { action: "register", link: "true" }

async function withAda(strategy: "database" | "jwt", changes: Partial<ApplicationConfig> = {}) {
  const house = await passkeyHouse({ session: { strategy }, ...changes })
  const ada = house.person()
  await ada.register("ada@example.com")
  const id = String(house.rows("User")[0]?.["id"])
  /** Ada's browser, with her second device. */
  const second = new PasskeyPerson(ada.browser, softAuthenticator())
  const owners = () => house.passkeys().map(({ userId }) => userId)
  return { ...house, ada, second, id, owners }
}

describe.each(strategies)("adding a passkey (%s)", (strategy) => {
  test("gives the user two, and either signs them in", async () => {
    const { second, ada, owners, id, rows, counts } = await withAda(strategy)
    const asked = await second.ask(add)
    expect(asked.options?.user).toMatchObject({ name: "ada@example.com" })
    const answer = await second.send("register", await second.answer(asked))
    expect(errorOf(answer)).toBeNull()
    expect(owners()).toEqual([id, id])
    expect(counts().slice(0, 2)).toEqual([1, 2])
    expect(rows("Account").map(({ type }) => type)).toEqual(["webauthn", "webauthn"])
    for (const each of [second, ada]) {
      await ada.browser.signOut()
      expect(errorOf(await each.signIn())).toBeNull()
      expect(await each.email()).toBe("ada@example.com")
    }
  })

  test("can be asked for without a word about who it is for", async () => {
    const { second, owners, id } = await withAda(strategy)
    expect(errorOf(await second.enter({ action: "register" }))).toBeNull()
    expect(owners()).toEqual([id, id])
  })

  test("names the passkeys that are there, so that no device gets a second one", async () => {
    const { ada } = await withAda(strategy)
    const asked = await ada.ask(add)
    expect(asked.options?.excludeCredentials).toMatchObject([{ id: ada.device.passkeys[0]?.id }])
    await expect(ada.answer(asked)).rejects.toThrow(DOMException)
  })

  test("is no matter of the address that a form names: that is somebody new", async () => {
    const { second, owners, id, counts } = await withAda(strategy)
    await second.register("bob@example.com")
    expect(await second.email()).toBe("bob@example.com")
    expect(owners()).toEqual([id, expect.not.stringContaining(id)])
    expect(counts()[0]).toBe(2)
  })

  test("113 is refused when the person signed out meanwhile", async () => {
    const { second, owners, id } = await withAda(strategy)
    const data = await second.answer(await second.ask(add))
    await second.browser.signOut()
    const answer = await second.send("register", data)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("AccountNotLinked")
    expect(owners()).toEqual([id])
    expect(await second.browser.session()).toBeNull()
  })

  test("113 is refused when somebody else signed in meanwhile", async () => {
    const { second, owners, id, person } = await withAda(strategy)
    const data = await second.answer(await second.ask(add))
    const bob = person()
    await bob.register("bob@example.com")
    await new PasskeyPerson(second.browser, bob.device).signIn()
    assertRefused(await second.send("register", data))
    expect(owners().filter((owner) => owner === id)).toHaveLength(1)
    expect(await second.email()).toBe("bob@example.com")
  })

  test("113 is refused to a session that was planted", async () => {
    const { second, owners, person } = await withAda(strategy)
    const data = await second.answer(await second.ask(add))
    const mallory = person()
    await mallory.register("mallory@example.com")
    const planted = mallory.browser.cookies.get(sessionName)?.value ?? ""
    second.browser.cookies.plant(
      "https://app.example",
      `${sessionName}=${planted}; Path=/; Secure; HttpOnly`,
    )
    assertRefused(await second.send("register", data))
    expect(owners()).toHaveLength(2)
  })

  test("is refused to a user who was deleted meanwhile", async () => {
    const { second, adapter, id, counts, passkeys } = await withAda(strategy)
    const data = await second.answer(await second.ask(add))
    await adapter.deleteUser(id)
    assertRefused(await second.send("register", data))
    expect([...counts().slice(0, 3), passkeys().length]).toEqual([0, 0, 0, 0])
  })

  test("119 a fault leaves neither account nor passkey, signs nobody out, and a retry succeeds", async () => {
    for (const method of ["linkAccount", "createAuthenticator"] as const) {
      const { second, counts, fail, owners, id, ada } = await withAda(strategy)
      fail(method)
      const answer = await second.enter(add)
      assertRefused(answer)
      expect(errorOf(answer)).toBe("Configuration")
      expect(counts().slice(0, 2)).toEqual([1, 1])
      expect(owners()).toEqual([id])
      expect(await ada.email()).toBe("ada@example.com")
      expect(errorOf(await second.enter(add))).toBeNull()
      expect(owners()).toEqual([id, id])
    }
  })

  test("112 a passkey of somebody else signs them in, and joins nobody", async () => {
    const { ada, person, owners, id } = await withAda(strategy)
    const bob = person()
    await bob.register("bob@example.com")
    await new PasskeyPerson(ada.browser, bob.device).signIn()
    expect(await ada.email()).toBe("bob@example.com")
    expect(owners().filter((owner) => owner === id)).toHaveLength(1)
  })

  test('with `accountLinking: "signed-in"`, every registration of a signed-in person is an addition', async () => {
    const { second, owners, id } = await withAda(strategy, { accountLinking: "signed-in" })
    await second.register("bob@example.com")
    expect(await second.email()).toBe("ada@example.com")
    expect(owners()).toEqual([id, id])
  })

  test('with `accountLinking: "signed-in"`, a stranger registers as ever', async () => {
    const { person, counts } = await withAda(strategy, { accountLinking: "signed-in" })
    expect(errorOf(await person().register("bob@example.com"))).toBeNull()
    expect(counts()[0]).toBe(2)
  })
})

test("a person without an address adds a passkey under their name", async () => {
  const { person, adapter } = await passkeyHouse(
    {},
    { getUserInfo: ({ fields }) => ({ exists: false, user: { name: fields["name"] ?? null } }) },
  )
  const ada = person()
  await ada.enter({ action: "register", name: "Ada" })
  const asked = await new PasskeyPerson(ada.browser).ask(add)
  expect(asked.options?.user).toMatchObject({ name: "Ada", displayName: "Ada" })
  expect(await adapter.getUserByEmail("")).toBeNull()
})
