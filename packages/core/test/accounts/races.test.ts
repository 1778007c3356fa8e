import { type Browser, type Comeback, scriptedProvider, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { application } from "../support/application.ts"
import { ada, linkingHouse } from "../support/linking-house.ts"
import { postOffice } from "../support/post-office.ts"
import { world } from "../support/world.ts"

const day = 86_400_000

async function sessionsOf(visitors: readonly Browser[]) {
  return Promise.all(visitors.map((visitor) => visitor.session()))
}

describe("120 two first sign-ins of one person at once", () => {
  test.each([
    ["with an address", ada],
    ["without one", { sub: "ada", name: "Ada" }],
  ])("(%s) make one user and one account, and at least one gets in", async (_, person) => {
    const house = await linkingHouse()
    house.work.user(person)
    const visitors = [house.visitor(), house.visitor()]
    const comebacks: Comeback[] = []
    for (const visitor of visitors)
      comebacks.push(house.work.approve(await visitor.begin(house.work)))
    await Promise.all(visitors.map((visitor, index) => visitor.open(comebacks[index] ?? "")))
    const inside = (await sessionsOf(visitors)).filter((session) => session !== null)
    expect(inside.length).toBeGreaterThan(0)
    expect(house.counts().slice(0, 3)).toEqual([1, 1, inside.length])

    for (const visitor of visitors) await visitor.signIn(house.work)
    expect(await sessionsOf(visitors)).not.toContain(null)
    expect(house.counts().slice(0, 3)).toEqual([1, 1, 2])
  })

  test("by two e-mail links make one user, and both get in", async () => {
    const office = await postOffice()
    const visitors = [office.visitor(), office.visitor()]
    const links: URL[] = []
    for (const visitor of visitors) links.push(await office.link(visitor))
    await Promise.all(visitors.map((visitor, index) => visitor.open(links[index] ?? "")))
    expect(await sessionsOf(visitors)).not.toContain(null)
    expect(office.counts()).toEqual([1, 0, 2, 0])
  })

  test("by an e-mail link, while another way in creates the user: the address is verified", async () => {
    const office = await postOffice()
    const visitor = office.visitor()
    const link = await office.link(visitor)
    const create = office.adapter.createUser
    office.adapter.createUser = async (user) => {
      office.adapter.createUser = create
      await office.user()
      return create(user)
    }
    await visitor.open(link)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(office.rows("User")).toMatchObject([{ emailVerified: expect.any(Number) }])
  })
})

test("120 an account that another request of the same person linked first is linked", async () => {
  const house = await linkingHouse()
  const visitor = house.visitor()
  await visitor.signIn(house.work)
  house.club.user({ sub: "club-ada", name: "Ada" })
  const link = house.adapter.linkAccount
  house.adapter.linkAccount = async (account) => {
    await link(account)
    await link(account)
  }
  const answer = await visitor.signIn(house.club, { link: "true" })
  expect(answer.headers.get("location")).toBe("https://app.example")
  expect(house.accounts()).toHaveLength(2)
  expect(house.rows("User")).toHaveLength(1)
})

test.each(["database", "jwt"] as const)(
  "120 thirty people at once are not mixed up (%s)",
  async (strategy) => {
    const provider = await scriptedProvider({ id: "work" })
    const stored = await world()
    const { visitor } = application({
      adapter: stored.adapter,
      session: { strategy },
      providers: [provider.asOidc()],
    })
    const people = Array.from({ length: 30 }, (_, index) => {
      const name = `Person ${index}`
      return { sub: `${index}`, name, email: `person-${index}@example.com`, visitor: visitor() }
    })
    await Promise.all(
      people.map(async ({ visitor: who, ...user }) => {
        const begun = await who.begin(provider, { callbackUrl: `/home/${user.sub}` })
        const answer = await who.open(provider.approve(begun, { user }))
        expect(answer.headers.get("location")).toBe(`https://app.example/home/${user.sub}`)
      }),
    )
    const names = await Promise.all(
      people.flatMap(({ visitor: who }) => [who.session(), who.session()]),
    )
    expect(names.map((session) => session?.user?.email)).toEqual(
      people.flatMap(({ email }) => [email, email]),
    )
    expect(stored.counts()).toEqual([30, 30, strategy === "database" ? 30 : 0, 0])
  },
)

test.each(["database", "jwt"] as const)(
  "120 twenty reads at once of a session that is due for renewal all succeed (%s)",
  async (strategy) => {
    const house = await linkingHouse({ session: { strategy } })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    await withClock(Date.now() + 2 * day, async () => {
      const sessions = await sessionsOf(Array.from({ length: 20 }, () => visitor))
      expect(sessions.map((session) => session?.user?.email)).toEqual(
        sessions.map(() => "ada@example.com"),
      )
    })
    expect(await visitor.session()).not.toBeNull()
    expect(house.log.errors()).toEqual([])
  },
)
