import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type PostOffice, postOffice } from "../support/post-office.ts"
import type { Method } from "../support/world.ts"

/** A person who was stored before, and never proved the address. */
async function stored() {
  const office = await postOffice()
  await office.user()
  return office
}

/** Opens a link while a method fails, and again once it works. */
async function twice(office: PostOffice, method: Method, late = false) {
  const ada = office.visitor()
  const link = await office.link(ada)
  const before = office.counts()
  office.fail(method, { late })
  const answer = await ada.open(link)
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  expect(await ada.session()).toBeNull()
  const between = office.counts()
  await ada.open(link)
  expect(await ada.session()).toMatchObject({ user: { email: "ada@example.com" } })
  return { before, between, after: office.counts() }
}

describe("100 a link still works once the fault is gone, and leaves no double, when the fault was in", () => {
  test.each<Method>(["useVerificationToken", "getUserByEmail", "createUser"])(
    "%s, for a new person",
    async (method) => {
      const { before, between, after } = await twice(await postOffice(), method)
      expect(before).toEqual([0, 0, 0, 1])
      expect(between).toEqual([0, 0, 0, 1])
      expect(after).toEqual([1, 0, 1, 0])
    },
  )

  test("createSession, for a new person, who is then complete", async () => {
    const office = await postOffice()
    const { between, after } = await twice(office, "createSession")
    expect(between).toEqual([1, 0, 0, 1])
    expect(after).toEqual([1, 0, 1, 0])
    expect(office.rows("User")[0]?.["emailVerified"]).not.toBeNull()
  })

  test.each<Method>(["useVerificationToken", "getUserByEmail", "updateUser", "createSession"])(
    "%s, for a person who is stored",
    async (method) => {
      const { before, between, after } = await twice(await stored(), method)
      expect(before).toEqual([1, 0, 0, 1])
      expect(between).toEqual([1, 0, 0, 1])
      expect(after).toEqual([1, 0, 1, 0])
    },
  )

  test.each<Method>(["updateUser", "createSession"])(
    "%s, although the database had done it",
    async (method) => {
      const { after } = await twice(await stored(), method, true)
      expect([after[0], after[1], after[3]]).toEqual([1, 0, 0])
    },
  )

  test("everything at once", async () => {
    const office = await stored()
    const ada = office.visitor()
    const link = await office.link(ada)
    office.failAll()
    assertRefused(await ada.open(link))
    office.mend()
    await ada.open(link)
    expect(await ada.session()).not.toBeNull()
  })
})

test("100 a link that could not be put back says that a new one is needed", async () => {
  const office = await stored()
  const ada = office.visitor()
  const link = await office.link(ada)
  office.fail("updateUser")
  office.fail("createVerificationToken")
  assertRefused(await ada.open(link))
  const answer = await ada.open(link)
  expect(errorOf(answer)).toBe("Verification")
  const page = await (await ada.follow(answer)).text()
  expect(page).toContain("expired or was already used")
})

test("100 a fault of the `signIn` callback leaves the link good, a refusal does not", async () => {
  let mood: "broken" | "strict" | "kind" = "broken"
  const office = await postOffice({
    callbacks: {
      signIn({ email }) {
        if (email?.verificationRequest || mood === "kind") return true
        if (mood === "strict") return false
        throw new Error("the list of members is not available")
      },
    },
  })
  const ada = office.visitor()
  const link = await office.link(ada)
  assertRefused(await ada.open(link))
  expect(office.rows("VerificationToken")).toHaveLength(1)
  mood = "kind"
  await ada.open(link)
  expect(await ada.session()).not.toBeNull()

  const other = await office.link(ada)
  mood = "strict"
  assertRefused(await ada.open(other))
  expect(office.rows("VerificationToken")).toEqual([])
})

test.each<Method>(["getUserByEmail", "createVerificationToken"])(
  "asking for a link is refused while %s fails, sends nothing, and works afterwards",
  async (method) => {
    const office = await postOffice()
    const ada = office.visitor()
    office.fail(method)
    const answer = await office.ask(ada)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("Configuration")
    expect(office.box.messages).toEqual([])
    expect(office.counts()).toEqual([0, 0, 0, 0])
    await ada.open(await office.link(ada))
    expect(await ada.session()).not.toBeNull()
  },
)
