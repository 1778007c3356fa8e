import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Authorize, ada, passwordDoor } from "../support/password-door.ts"
import { world } from "../support/world.ts"

const typed = { name: "ada", password: "open sesame" }

/** A door whose sessions are in the database, which knows Ada. */
async function storedDoor(authorize?: Authorize) {
  const stored = await world()
  await stored.user({ id: "ada" })
  return { ...stored, ...passwordDoor(authorize, { adapter: stored.adapter }) }
}

describe("credentials with sessions in a database", () => {
  test("a stored user gets a session like any other, and can end it", async () => {
    const door = await storedDoor()
    const visitor = door.visitor()
    await visitor.signIn("credentials", typed)
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
    const [row] = door.rows("Session")
    expect(row).toMatchObject({ userId: "ada" })
    expect(visitor.cookies.get("__Secure-authjs.session-token")?.value).toBe(row?.["sessionToken"])
    expect(door.counts()).toEqual([1, 0, 1, 0])
    await visitor.signOut()
    expect(await visitor.session()).toBeNull()
    expect(door.counts()).toEqual([1, 0, 0, 0])
  })

  test.each([
    ["that nobody has", () => ({ ...ada, id: "nobody" })],
    ["that is missing", () => ({ name: "Ada", email: "ada@example.com" })],
  ])("an id %s is refused, whatever its address says, and creates nobody", async (_, authorize) => {
    const door = await storedDoor(authorize)
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", typed)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("Configuration")
    expect(door.log.errors()).toEqual(["CallbackRouteError"])
    expect(await visitor.session()).toBeNull()
    expect(door.counts()).toEqual([1, 0, 0, 0])
  })

  test("signing in again ends the old session", async () => {
    const door = await storedDoor()
    const visitor = door.visitor()
    await visitor.signIn("credentials", typed)
    const old = visitor.cookies.get("__Secure-authjs.session-token")?.value
    await visitor.signIn("credentials", typed)
    const rows = door.rows("Session")
    expect(rows).toHaveLength(1)
    expect(rows[0]?.["sessionToken"]).not.toBe(old)
  })

  test.each(["getUser", "createSession"] as const)(
    "a fault in %s lets nobody in, and the next attempt succeeds",
    async (method) => {
      const door = await storedDoor()
      const visitor = door.visitor()
      door.fail(method)
      assertRefused(await visitor.signIn("credentials", typed))
      expect(await visitor.session()).toBeNull()
      await visitor.signIn("credentials", typed)
      expect(await visitor.session()).not.toBeNull()
      expect(door.counts()).toEqual([1, 0, 1, 0])
    },
  )
})

test("with sessions in a cookie, the adapter is not asked", async () => {
  const stored = await world()
  const door = passwordDoor(undefined, {
    adapter: stored.adapter,
    session: { strategy: "jwt" },
  })
  const visitor = door.visitor()
  await visitor.signIn("credentials", typed)
  expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  expect(stored.calls).toEqual([])
})
