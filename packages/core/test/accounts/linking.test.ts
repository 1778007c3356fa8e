import type { Provider } from "@latchkey/core/providers"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { assertRefused, errorOf, mailbox } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { ada, bob, type LinkingHouse, linkingHouse } from "../support/linking-house.ts"

const notLinked = "https://app.example/auth/signin?error=OAuthAccountNotLinked"

describe("109 a provider sign-in with the address of another user", () => {
  test.each(["ada@example.com", "ADA@Example.Com"])("(%s) is refused", async (email) => {
    const house = await linkingHouse()
    await house.visitor().signIn(house.work)
    house.club.user({ ...ada, sub: "somebody", email })
    const mallory = house.visitor()
    const answer = await mallory.signIn(house.club)
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe(notLinked)
    expect(await (await mallory.follow(answer)).text()).toContain(
      "Sign in the way you did the first time",
    )
    expect(await mallory.session()).toBeNull()
    expect(house.counts()).toEqual([1, 1, 1, 0])
  })

  test("is refused too when the user has no account at all", async () => {
    const house = await linkingHouse()
    await house.user()
    assertRefused(await house.visitor().signIn(house.work))
    expect(house.accounts()).toEqual([])
  })
})

describe("110 a provider that opted in to linking by address", () => {
  const optedIn = { allowDangerousEmailAccountLinking: true }

  test.each([true, undefined])(
    "joins the user when it says of the address: %s",
    async (verified) => {
      const house = await linkingHouse({}, optedIn)
      const { id } = await house.user()
      const { email_verified: _, ...rest } = ada
      house.club.user(verified === undefined ? rest : { ...rest, email_verified: verified })
      const visitor = house.visitor()
      await visitor.signIn(house.club)
      expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
      expect(house.accounts()).toEqual([`club ${id}`])
      expect(house.counts()).toEqual([1, 1, 1, 0])
    },
  )

  test.each([false, "false"])("is refused when it denies the address: %j", async (denial) => {
    const house = await linkingHouse({}, optedIn)
    await house.user()
    house.club.user({ ...ada, email_verified: denial as boolean })
    const mallory = house.visitor()
    const answer = await mallory.signIn(house.club)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(await mallory.session()).toBeNull()
    expect(house.counts()).toEqual([1, 0, 0, 0])
  })

  test("leaves an address out that it denies, when nobody has it", async () => {
    const house = await linkingHouse({}, optedIn)
    house.club.user({ ...ada, email_verified: false })
    const visitor = house.visitor()
    await visitor.signIn(house.club)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada" } })
    expect(house.rows("User").map(({ email }) => email)).toEqual([null])
    await house.visitor().signIn(house.work)
    expect(house.rows("User").map(({ email }) => email)).toEqual([null, "ada@example.com"])
  })

  test("does not open the door for the other provider", async () => {
    const house = await linkingHouse({}, optedIn)
    await house.user()
    assertRefused(await house.visitor().signIn(house.work))
  })
})

/** A house that also sends links by e-mail. */
async function withMail() {
  const box = await mailbox()
  onTestFinished(() => box.close())
  const mail: Provider = nodemailer({ server: box.server, from: "hello@app.example" })
  const house = await linkingHouse()
  const providers = [...house.config.providers, mail]
  house.config.providers = providers
  const open = async (who: ReturnType<LinkingHouse["visitor"]>, email: string) => {
    await who.signIn("nodemailer", { email })
    return who.open(box.latestLink())
  }
  return { ...house, open }
}

describe("111 a squatter", () => {
  test("whose provider denies the address never shares a user with its owner", async () => {
    const house = await withMail()
    house.work.user({ ...ada, sub: "squatter", email_verified: false })
    const squatter = house.visitor()
    await squatter.signIn(house.work)
    expect(await squatter.session()).not.toBeNull()
    expect(house.rows("User").map(({ email }) => email)).toEqual([null])

    const owner = house.visitor()
    await house.open(owner, "ada@example.com")
    expect(await owner.session()).toMatchObject({ user: { email: "ada@example.com" } })
    const [account] = house.rows("Account")
    const theirs = house.rows("User").find(({ email }) => email === "ada@example.com")
    expect(theirs?.["id"]).not.toBe(account?.["userId"])
    expect(house.counts()).toEqual([2, 1, 2, 0])
  })

  test("may keep a denied address where no address opens a door", async () => {
    const house = await linkingHouse()
    house.work.user({ ...ada, email_verified: false })
    await house.visitor().signIn(house.work)
    expect(house.rows("User").map(({ email }) => email)).toEqual(["ada@example.com"])
  })

  test("cannot follow the owner in: the owner's address is theirs, the squatter is refused", async () => {
    const house = await withMail()
    await house.open(house.visitor(), "ada@example.com")
    house.work.user({ ...ada, sub: "squatter", email_verified: false })
    assertRefused(await house.visitor().signIn(house.work))
    expect(house.counts()).toEqual([1, 0, 1, 0])
  })
})

describe("114 an account is a provider and the id there", () => {
  test("the same id at two providers is two people", async () => {
    const house = await linkingHouse()
    house.work.user({ ...ada, sub: "7" })
    house.club.user({ ...bob, sub: "7" })
    const [one, two] = [house.visitor(), house.visitor()]
    await one.signIn(house.work)
    await two.signIn(house.club)
    expect(await one.session()).toMatchObject({ user: { name: "Ada" } })
    expect(await two.session()).toMatchObject({ user: { name: "Bob" } })
    expect(house.counts()).toEqual([2, 2, 2, 0])
  })

  test("a new address or name at the provider is the same person", async () => {
    const house = await linkingHouse()
    await house.visitor().signIn(house.work)
    const [before] = house.rows("User")
    house.work.user({ ...ada, email: "married@example.com", name: "Ada King" })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(house.rows("User")).toEqual([before])
  })

  test("a new address that another user has is still the same person", async () => {
    const house = await linkingHouse()
    await house.visitor().signIn(house.work)
    await house.user({ email: "bob@example.com", name: "Bob" })
    house.work.user({ ...ada, email: "bob@example.com" })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("two people without an address are two users", async () => {
    const house = await linkingHouse()
    for (const sub of ["first", "second"]) {
      house.work.user({ sub, name: sub })
      const visitor = house.visitor()
      await visitor.signIn(house.work)
      expect(await visitor.session()).toMatchObject({ user: { name: sub } })
    }
    expect(house.counts()).toEqual([2, 2, 2, 0])
  })
})
