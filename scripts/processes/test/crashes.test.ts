/** Processes and databases die while people come and go: what is left is whole, and everybody is who they are. */
import { expect, test } from "vitest"
import { chanceOf, seedOfRun } from "../chance.ts"
import { beginCrashes } from "../crashes.ts"
import { databases } from "../databases/all.ts"
import { openHouse, quickProvider } from "../house.ts"
import { type Inventory, inventoryOf } from "../inventory.ts"
import { type Person, person, seenAs, type Way } from "../person.ts"
import { sessionCookie } from "../visitor.ts"

const plan = { variant: "processes", provider: quickProvider } as const

for (const { name, isInstalled, start } of databases) {
  test.skipIf(!isInstalled)(`crashes leave nothing half-done, on ${name}`, async () => {
    const seed = seedOfRun()
    const chance = chanceOf(seed)
    await using server = await start()
    await using house = await openHouse({ ...plan, databaseUrl: server.url })
    const { processes, provider } = house
    const browser = () => house.visitor().browser
    const people: Person[] = []
    const newcomer = (way: Way) => {
      const made = person(`${way}-${people.length}`, way, {
        provider,
        chance: chance.fork(),
        browser,
      })
      people.push(made)
      return made
    }
    const arrivals: Promise<void>[] = []
    async function rush(): Promise<void> {
      const group = Array.from({ length: 6 }, () => newcomer("provider").approach())
      for (const enter of await Promise.all(group)) arrivals.push(enter())
    }

    const crowd = Array.from({ length: 40 }, (_, at) =>
      newcomer(at % 2 === 0 ? "provider" : "password"),
    )
    const crashes = beginCrashes({ processes, database: server, chance: chance.fork(), rush })
    const lives = await Promise.allSettled(crowd.map((each) => each.live()))
    const count = await crashes.stop()
    lives.push(...(await Promise.allSettled(arrivals)))
    console.log(`${name}: LATCHKEY_SEED=${seed}`, { people: people.length, ...count })

    expect(lives.filter(({ status }) => status === "rejected")).toEqual([])
    expect(people.flatMap(({ problems }) => problems)).toEqual([])
    expect(Math.min(count.processes, count.databases)).toBeGreaterThan(0)
    const found = await inventoryOf(server.url, house.folder)
    expectWhole(found, people)
    expectOwn(found, people)
    for (const { email, held } of people) {
      for (const each of held) expect(await seenAs(each.browser, chance)).toBe(email)
    }
    for (const token of people.flatMap(({ ended }) => ended)) {
      const thief = browser()
      thief.receive([`${sessionCookie}=${token}; Path=/`])
      expect(await seenAs(thief, chance)).toBe("nobody")
    }
  })
}

/** One user for each person, each with the account that they came with, and no account without a user. */
function expectWhole({ users, accounts }: Inventory, people: readonly Person[]): void {
  const emails = people.map(({ email }) => email)
  expect(users.map(({ email }) => email).sort()).toEqual(emails.sort())
  const expected = users
    .filter(({ email }) => email.startsWith("provider"))
    .map(({ id, email }) => `${email.split("@")[0]} of ${id}`)
  const actual = accounts.map((each) => `${each.providerAccountId} of ${each.userId}`)
  expect(actual.sort()).toEqual(expected.sort())
}

/** The sessions that browsers have are there, and each is its own person's; those that were ended are gone. */
function expectOwn({ users, sessions }: Inventory, people: readonly Person[]): void {
  const emailOf = new Map(users.map(({ id, email }) => [id, email]))
  const owners = new Map(sessions.map((each) => [each.sessionToken, emailOf.get(each.userId)]))
  for (const { email, held, ended } of people) {
    expect(held.map(({ token }) => owners.get(token))).toEqual(held.map(() => email))
    expect(ended.filter((token) => owners.has(token))).toEqual([])
  }
}
