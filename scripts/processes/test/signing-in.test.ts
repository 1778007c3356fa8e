/** People come and go, and none of the processes has anything to itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { databases } from "../databases/all.ts"
import type { DatabaseServer } from "../databases/server.ts"
import { type House, openHouse, quickProvider } from "../house.ts"
import { processOf, sessionCookie, type Visitor } from "../visitor.ts"

const plan = { variant: "example", provider: quickProvider } as const
const ann = { email: "ann@example.com", password: "correct horse battery staple" }

for (const database of databases) {
  describe.skipIf(!database.isInstalled)(database.name, () => {
    let server: DatabaseServer
    let house: House

    beforeAll(async () => {
      server = await database.start()
      house = await openHouse({ ...plan, databaseUrl: server.url })
    })
    afterAll(async () => {
      await house?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    test("the first sign-ins with a password at all processes make one user", async () => {
      const visitors = Array.from({ length: 8 }, () => house.visitor())
      await Promise.all(visitors.map(({ browser }) => browser.signIn("credentials", ann)))
      const sessions = await Promise.all(visitors.map(({ browser }) => browser.session()))
      expect(sessions.map((session) => session?.user?.id)).toEqual(visitors.map(() => "ann"))
    })

    test("a password typed at one process signs in at another, and all know it", async () => {
      const visitor = house.visitor()
      await visitor.browser.signIn("credentials", ann)
      const form = processOf(visitor, "/auth/csrf")
      expect(processOf(visitor, "/auth/callback/credentials")).not.toBe(form)
      expect(await seenByAll(visitor)).toEqual(["Ann Archer"])
    })

    test("a form of the own pages is opened at one process and sent to another", async () => {
      const visitor = house.visitor()
      await visitor.browser.open("/signin")
      const form = processOf(visitor, "/signin")
      const sent = { providerId: "credentials", redirectTo: "/members", ...ann }
      const answer = await visitor.browser.post("/signin", sent)
      expect(processOf(visitor, "/signin")).not.toBe(form)
      expect(await (await visitor.browser.follow(answer)).text()).toContain("Members only</h1>")
      expect(await seenByAll(visitor)).toEqual(["Ann Archer"])
    })

    test("who comes back from the provider finds another process than the one that sent them", async () => {
      const visitor = house.visitor()
      const url = await visitor.browser.begin(house.provider)
      const sender = processOf(visitor, "/auth/signin/tenantidp")
      await visitor.browser.open(house.provider.approve(url))
      expect(processOf(visitor, "/auth/callback/tenantidp")).not.toBe(sender)
      expect(await seenByAll(visitor)).toEqual(["Ada Lovelace"])
    })

    test("a name that one process changed is the name at all", async () => {
      const visitor = house.visitor()
      const user = { sub: "grace", email: "grace@example.com", name: "Grace" }
      const url = await visitor.browser.begin(house.provider)
      await visitor.browser.open(house.provider.approve(url, { user }))
      await visitor.browser.post("/account", { name: "Amazing Grace" })
      expect(await seenByAll(visitor)).toEqual(["Amazing Grace"])
    })

    test("the first sign-ins of one person at all processes make one user, and all get in", async () => {
      for (const name of ["Mary", "Mae", "Maud", "Mina", "Moll"]) {
        const user = { sub: name, email: `${name}@example.com`, name }
        const visitors = Array.from({ length: 16 }, () => house.visitor())
        const ways = await Promise.all(
          visitors.map(async ({ browser }) => {
            const url = await browser.begin(house.provider)
            return { browser, back: house.provider.approve(url, { user }) }
          }),
        )
        await Promise.all(ways.map(({ browser, back }) => browser.open(back)))
        const sessions = await Promise.all(visitors.map(({ browser }) => browser.session()))
        expect(sessions.map((session) => session?.user?.name)).toEqual(visitors.map(() => name))
        expect(new Set(sessions.map((session) => session?.user?.id)).size).toBe(1)
      }
    })

    test("a sign-out is known to all at once, while others still ask", async () => {
      const visitor = house.visitor()
      await visitor.browser.signIn("credentials", ann)
      const cookie = `${sessionCookie}=${visitor.browser.cookies.get(sessionCookie)?.value}; Path=/`
      const thief = () => {
        const other = house.visitor()
        other.browser.receive([cookie])
        return other
      }
      const asking = Array.from({ length: 40 }, () => thief().browser.session())
      expect((await asking[0])?.user?.name).toBe("Ann Archer")
      await visitor.browser.post("/signout")
      await Promise.all(asking)
      expect(await seenByAll(visitor)).toEqual(["nobody"])
      const thieves = Array.from({ length: 8 }, thief)
      for (const { browser } of thieves) expect(await browser.session()).toBeNull()
      expect(new Set(thieves.map((each) => processOf(each, "/auth/session"))).size).toBe(4)
      const refused = await thief().browser.open("/members")
      expect(refused.headers.get("location")).toBe("/signin?callbackUrl=%2Fmembers")
    })
  })
}

/** The names that the processes see, all of which are asked. */
async function seenByAll(visitor: Visitor): Promise<string[]> {
  const { length } = visitor.steps
  const names = new Set<string>()
  for (let asked = 0; asked < 4; asked += 1) {
    names.add((await visitor.browser.session())?.user?.name ?? "nobody")
  }
  const answering = visitor.steps.slice(length).map(({ process }) => process)
  expect(new Set(answering).size).toBe(4)
  return [...names]
}
