/** Ways into somebody else's account that linking must not open. */
import { cookiesSet, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, linkingHouse } from "../support/linking-house.ts"
import { world } from "../support/world.ts"

describe("112 a session that was revoked", () => {
  test("cannot add an account, though its cookie still opens", async () => {
    let revoked = false
    const house = await linkingHouse({
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token }) => (revoked ? null : token) },
    })
    house.work.user(ada)
    const thief = house.visitor()
    await thief.signIn(house.work)
    const before = house.accounts()
    revoked = true
    const answer = await thief.post("/auth/signin/club", {
      csrfToken: await thief.csrf(),
      link: "true",
    })
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(house.accounts()).toEqual(before)
  })

  test("cannot add an account when it is revoked while the provider is asked", async () => {
    let revoked = false
    const house = await linkingHouse({
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token, account }) => (revoked && !account ? null : token) },
    })
    house.work.user(ada)
    const thief = house.visitor()
    await thief.signIn(house.work)
    const begun = await thief.begin(house.club, { link: "true" })
    const before = house.accounts()
    revoked = true
    house.club.user(bob)
    const answer = await thief.open(house.club.approve(begun))
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(house.accounts()).toEqual(before)
  })
})

test("113 a form token of nobody's does not add an account to the person who is signed in", async () => {
  const house = await linkingHouse()
  house.work.user(ada)
  const alice = house.visitor()
  const planted = await alice.csrf()
  const pair = alice.cookies.get("__Host-authjs.csrf-token")?.value ?? ""
  await alice.signIn(house.work)
  alice.cookies.plant(`${alice.origin}/`, `__Host-authjs.csrf-token=${pair}; Path=/; Secure`)
  const answer = await alice.post("/auth/signin/club", { csrfToken: planted, link: "true" })
  expect(errorOf(answer)).toBe("MissingCSRF")
  expect(cookiesSet(answer)).toEqual([])
})

describe("110 an address that is not plainly proven", () => {
  test.each([false, "false", "False", "no", 0, "0", {}])(
    "does not join its user: email_verified %o",
    async (email_verified) => {
      const house = await linkingHouse({}, { allowDangerousEmailAccountLinking: true })
      house.work.user(ada)
      await house.visitor().signIn(house.work)
      house.club.user({ ...ada, sub: "other", email_verified: email_verified as boolean })
      const answer = await house.visitor().signIn(house.club)
      expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    },
  )

  test.each([
    ["\u212Aate@example.com", "kate@example.com"],
    ["\uFF4Bate@example.com", "kate@example.com"],
    ["ad\u0131@example.com", "adi@example.com"],
  ])("nor one that only looks like it: %s", async (email, own) => {
    const house = await linkingHouse({}, { allowDangerousEmailAccountLinking: true })
    house.work.user({ ...ada, email: own })
    await house.visitor().signIn(house.work)
    const [kate] = house.rows("User")
    house.club.user({ ...ada, sub: "other", email })
    await house.visitor().signIn(house.club)
    expect(house.accounts()).not.toContain(`club ${kate?.["id"]}`)
  })
})

test("119 user and account are stored as one where the adapter can", async () => {
  const { adapter, counts, fail } = await world({ atomic: true })
  const house = await linkingHouse({ adapter })
  house.work.user(ada)
  fail("createUserWithAccount")
  expect(errorOf(await house.visitor().signIn(house.work))).toBe("Configuration")
  expect(counts()).toEqual([0, 0, 0, 0])
  const alice = house.visitor()
  await alice.signIn(house.work)
  expect(await alice.session()).not.toBeNull()
  expect(counts()).toEqual([1, 1, 1, 0])
})

test("the signIn callback is shown the stored user that a known address would enter", async () => {
  const seen: unknown[] = []
  const house = await linkingHouse(
    {
      callbacks: {
        signIn: ({ user }) => {
          seen.push(user.id)
          return true
        },
      },
    },
    { allowDangerousEmailAccountLinking: true },
  )
  house.work.user(ada)
  await house.visitor().signIn(house.work)
  const [stored] = house.rows("User")
  house.club.user({ ...ada, sub: "other" })
  await house.visitor().signIn(house.club)
  expect(seen.at(-1)).toBe(stored?.["id"])
})
