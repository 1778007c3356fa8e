import { assertRefused, type Browser, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, type LinkingHouse, linkingHouse } from "../support/linking-house.ts"
import type { Method } from "../support/world.ts"

/** Signs in while a method fails, then again; tells what is stored in between. */
async function twice(house: LinkingHouse, visitor: Browser, method: Method, late = false) {
  house.fail(method, { late })
  const answer = await visitor.signIn(house.work)
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  expect(house.log.errors()).toEqual(["AdapterError"])
  expect(await visitor.session()).toBeNull()
  const between = house.counts()
  await visitor.signIn(house.work)
  expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
  return between
}

describe("119 a fault at a first sign-in leaves nothing half-made, and the next attempt succeeds", () => {
  test.each<Method>(["getUserByAccount", "getUserByEmail", "createUser", "linkAccount"])(
    "%s",
    async (method) => {
      const house = await linkingHouse()
      expect(await twice(house, house.visitor(), method)).toEqual([0, 0, 0, 0])
      expect(house.counts()).toEqual([1, 1, 1, 0])
    },
  )

  test("createSession: the user is complete, and has no session", async () => {
    const house = await linkingHouse()
    expect(await twice(house, house.visitor(), "createSession")).toEqual([1, 1, 0, 0])
    expect(house.counts()).toEqual([1, 1, 1, 0])
  })

  test("linkAccount, although the database had done it", async () => {
    const house = await linkingHouse()
    expect(await twice(house, house.visitor(), "linkAccount", true)).toEqual([0, 0, 0, 0])
    expect(house.counts()).toEqual([1, 1, 1, 0])
  })

  test("linkAccount, and the user cannot be removed either: both faults are in the log", async () => {
    const house = await linkingHouse()
    house.fail("linkAccount")
    house.fail("deleteUser")
    const visitor = house.visitor()
    assertRefused(await visitor.signIn(house.work))
    expect(house.log.errors()).toEqual(["AdapterError", "AdapterError"])
    expect(await visitor.session()).toBeNull()
  })

  test("everything, and nothing is announced", async () => {
    const announced: string[] = []
    const house = await linkingHouse({
      events: {
        createUser: () => void announced.push("createUser"),
        linkAccount: () => void announced.push("linkAccount"),
        signIn: () => void announced.push("signIn"),
      },
    })
    const visitor = house.visitor()
    for (const method of ["createUser", "linkAccount"] as const) {
      house.fail(method)
      assertRefused(await visitor.signIn(house.work))
    }
    expect(announced).toEqual([])
    await visitor.signIn(house.work)
    expect(announced).toEqual(["createUser", "linkAccount", "signIn"])
  })
})

describe("119 a fault at a later sign-in changes nothing, and the next attempt succeeds", () => {
  test.each<Method>(["getUserByAccount", "createSession"])("%s", async (method) => {
    const house = await linkingHouse()
    await house.visitor().signIn(house.work)
    const before = house.counts()
    expect(await twice(house, house.visitor(), method)).toEqual(before)
    expect(house.counts()).toEqual([1, 1, 2, 0])
  })
})

test("119 a method that is missing although it is needed is a fault like any other", async () => {
  const house = await linkingHouse()
  const { deleteUser: _, ...adapter } = house.adapter
  house.config.adapter = adapter
  house.fail("linkAccount")
  const visitor = house.visitor()
  assertRefused(await visitor.signIn(house.work))
  expect(await visitor.session()).toBeNull()
})

describe("119 somebody who is signed in and fails to sign in again stays who they were", () => {
  test.each<Method>([
    "getUserByAccount",
    "getUserByEmail",
    "createUser",
    "linkAccount",
    "createSession",
  ])("%s", async (method) => {
    const house = await linkingHouse()
    house.work.user(ada)
    house.club.user(bob)
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    house.fail(method)
    assertRefused(await visitor.signIn(house.club))
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada" } })
    await visitor.signIn(house.club)
    expect(await visitor.session()).toMatchObject({ user: { name: "Bob" } })
    expect(house.counts()).toEqual([2, 2, 1, 0])
  })

  test("deleteSession of the old session: the new one counts", async () => {
    const house = await linkingHouse()
    house.club.user(bob)
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    house.fail("deleteSession")
    await visitor.signIn(house.club)
    expect(await visitor.session()).toMatchObject({ user: { name: "Bob" } })
    expect(house.log.errors()).toEqual(["AdapterError"])
  })
})

test("119 a database that cannot say who is signed in keeps an account from being added", async () => {
  const house = await linkingHouse()
  house.club.user(bob)
  const visitor = house.visitor()
  await visitor.signIn(house.work)
  const comeback = house.club.approve(await visitor.begin(house.club, { link: "true" }))
  house.fail("getSessionAndUser", { times: 3 })
  const answer = await visitor.open(comeback)
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  house.mend()
  expect(house.accounts()).toHaveLength(1)
  expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
})
