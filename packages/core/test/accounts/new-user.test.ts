import { type Browser, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { application } from "../support/application.ts"
import { ada, bob, type LinkingHouse, linkingHouse } from "../support/linking-house.ts"
import { postOffice } from "../support/post-office.ts"

const strategies = ["database", "jwt"] as const

function destination(answer: Response): string | null {
  return answer.headers.get("location")
}

describe("`pages.newUser`", () => {
  test.each(strategies)(
    "is where a new user goes, and a known one does not (%s)",
    async (strategy) => {
      const house = await linkingHouse({
        session: { strategy },
        pages: { newUser: "/welcome?tour=1#top" },
      })
      const visitor = house.visitor()
      const first = await visitor.signIn(house.work)
      expect(destination(first)).toBe(
        `/welcome?tour=1&callbackUrl=${encodeURIComponent("https://app.example")}#top`,
      )
      expect(destination(await visitor.signIn(house.work))).toBe("https://app.example")
    },
  )

  test("carries on to where the person wanted to go", async () => {
    const house = await linkingHouse({ pages: { newUser: "/welcome" } })
    const visitor = house.visitor()
    const begun = await visitor.begin(house.work, { callbackUrl: "/cart?id=1" })
    const answer = await visitor.open(house.work.approve(begun))
    const to = new URL(destination(answer) ?? "", "https://app.example")
    expect(to.searchParams.get("callbackUrl")).toBe("https://app.example/cart?id=1")
  })

  test("is where a new user by e-mail link goes", async () => {
    const office = await postOffice({ pages: { newUser: "https://www.app.example/hello" } })
    const visitor = office.visitor()
    expect(destination(await visitor.open(await office.link(visitor)))).toBe(
      `https://www.app.example/hello?callbackUrl=${encodeURIComponent("https://app.example")}`,
    )
    expect(destination(await visitor.open(await office.link(visitor)))).toBe("https://app.example")
  })

  test("is for nobody who only adds an account", async () => {
    const house = await linkingHouse({ pages: { newUser: "/welcome" } })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    house.club.user(bob)
    expect(destination(await visitor.signIn(house.club, { link: "true" }))).toBe(
      "https://app.example",
    )
  })
})

/** The id of a person by what the `session` callback sees of the token. */
async function subOf(visitor: Browser): Promise<unknown> {
  return (await visitor.session())?.["sub"]
}

function withoutDatabase(house: LinkingHouse) {
  return application({
    providers: [house.work.asOidc(), house.club.asOidc()],
    callbacks: {
      session: ({ session, token }) => ({ ...session, sub: token.sub }),
    },
  })
}

describe("the id of a person without a database", () => {
  test("is the same at every sign-in, and has the shape of a UUID", async () => {
    const house = await linkingHouse()
    const app = withoutDatabase(house)
    const [one, two] = [app.visitor(), app.visitor()]
    await one.signIn(house.work)
    house.work.user({ ...ada, sub: "ada", email: "new@example.com", name: "Ada King" })
    await two.signIn(house.work)
    const id = await subOf(one)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await subOf(two)).toBe(id)
    expect(await subOf(one)).toBe(id)
  })

  test("differs between accounts of one provider and between providers", async () => {
    const house = await linkingHouse()
    const app = withoutDatabase(house)
    const ids = new Set<unknown>()
    for (const [provider, sub] of [
      [house.work, "1"],
      [house.work, "2"],
      [house.club, "1"],
    ] as const) {
      provider.user({ ...ada, sub })
      const visitor = app.visitor()
      await visitor.signIn(provider)
      ids.add(await subOf(visitor))
    }
    expect(ids.size).toBe(3)
  })

  test("is what `signIn`, `jwt` and the event see too", async () => {
    const house = await linkingHouse()
    const seen = new Set<unknown>()
    const app = application({
      providers: [house.work.asOidc()],
      callbacks: {
        signIn({ user }) {
          seen.add(user.id)
          return true
        },
        jwt({ token, user }) {
          if (user) seen.add(user.id).add(token.sub)
          return token
        },
      },
      events: { signIn: ({ user }) => void seen.add(user.id) },
    })
    await app.visitor().signIn(house.work)
    expect(seen.size).toBe(1)
  })
})

describe("a person without a usable address", () => {
  test.each([
    undefined,
    null,
    "",
    42,
    ["ada@example.com"],
    "no sign",
    `${"a".repeat(320)}@b.example`,
  ])("(%j) is stored without one", async (email) => {
    const house = await linkingHouse()
    house.work.user({ sub: "ada", name: "Ada", email: email as string })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada" } })
    expect(house.rows("User").map((row) => row["email"])).toEqual([null])
    expect(house.calls).not.toContain("getUserByEmail")
  })

  test("reaches the adapter without the field, so that its own default applies", async () => {
    const house = await linkingHouse()
    const created: object[] = []
    const create = house.adapter.createUser
    house.adapter.createUser = (user) => {
      created.push(user)
      return create(user)
    }
    house.work.user({ sub: "ada", name: "Ada" })
    await house.visitor().signIn(house.work)
    expect(created).toHaveLength(1)
    expect(created[0]).not.toHaveProperty("email")
  })
})

test("an address that the provider verified does not set `emailVerified`", async () => {
  const house = await linkingHouse()
  house.work.user({ ...ada, email_verified: true })
  const answer = await house.visitor().signIn(house.work)
  expect(errorOf(answer)).toBeNull()
  expect(house.rows("User")).toMatchObject([{ email: "ada@example.com", emailVerified: null }])
})
