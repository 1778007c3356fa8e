import {
  type AuthorizationResponse,
  createScriptedProvider,
  type TestBrowser,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { ada, createLinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const day = 86_400_000

async function readSessions(visitors: readonly TestBrowser[]) {
  return Promise.all(visitors.map((browser) => browser.getSession()))
}

describe("two concurrent first sign-ins of one user", () => {
  test.each([
    ["with an address", ada],
    ["without one", { sub: "ada", name: "Ada" }],
  ])("(%s) create one user and one account, and at least one succeeds", async (_, person) => {
    const app = await createLinkingApp()
    app.work.setUser(person)
    const visitors = [app.openBrowser(), app.openBrowser()]
    const comebacks: AuthorizationResponse[] = []
    for (const browser of visitors)
      comebacks.push(app.work.approve(await browser.startSignIn(app.work)))
    await Promise.all(visitors.map((browser, index) => browser.open(comebacks[index] ?? "")))
    const inside = (await readSessions(visitors)).filter((session) => session !== null)
    expect(inside.length).toBeGreaterThan(0)
    expect(app.countRows().slice(0, 3)).toEqual([1, 1, inside.length])

    for (const browser of visitors) await browser.signIn(app.work)
    expect(await readSessions(visitors)).not.toContain(null)
    expect(app.countRows().slice(0, 3)).toEqual([1, 1, 2])
  })

  test("with two e-mail links create one user, and both succeed", async () => {
    const app = await createEmailApp()
    const visitors = [app.openBrowser(), app.openBrowser()]
    const links: URL[] = []
    for (const browser of visitors) links.push(await app.receiveLink(browser))
    await Promise.all(visitors.map((browser, index) => browser.open(links[index] ?? "")))
    expect(await readSessions(visitors)).not.toContain(null)
    expect(app.countRows()).toEqual([1, 0, 2, 0])
  })

  test("with an e-mail link, while another provider creates the user: the address is verified", async () => {
    const app = await createEmailApp()
    const browser = app.openBrowser()
    const link = await app.receiveLink(browser)
    const create = app.adapter.createUser
    app.adapter.createUser = async (user) => {
      app.adapter.createUser = create
      await app.createUser()
      return create(user)
    }
    await browser.open(link)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(app.rows("User")).toMatchObject([{ emailVerified: expect.any(Number) }])
  })
})

test("an account that a concurrent request of the same user linked first is linked", async () => {
  const app = await createLinkingApp()
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  app.club.setUser({ sub: "club-ada", name: "Ada" })
  const link = app.adapter.linkAccount
  app.adapter.linkAccount = async (account) => {
    await link(account)
    await link(account)
  }
  const response = await browser.signIn(app.club, { link: "true" })
  expect(response.headers.get("location")).toBe("https://app.example")
  expect(app.listAccounts()).toHaveLength(2)
  expect(app.rows("User")).toHaveLength(1)
})

test.each(["database", "jwt"] as const)(
  "thirty concurrent users are not mixed up (%s)",
  async (strategy) => {
    const provider = await createScriptedProvider({ id: "work" })
    const database = await createTestDatabase()
    const { openBrowser } = createTestApp({
      adapter: database.adapter,
      session: { strategy },
      providers: [provider.asOidc()],
    })
    const people = Array.from({ length: 30 }, (_, index) => {
      const name = `Person ${index}`
      return { sub: `${index}`, name, email: `person-${index}@example.com`, visitor: openBrowser() }
    })
    await Promise.all(
      people.map(async ({ visitor: browser, ...user }) => {
        const authorizationUrl = await browser.startSignIn(provider, {
          callbackUrl: `/home/${user.sub}`,
        })
        const response = await browser.open(provider.approve(authorizationUrl, { user: user }))
        expect(response.headers.get("location")).toBe(`https://app.example/home/${user.sub}`)
      }),
    )
    const names = await Promise.all(
      people.flatMap(({ visitor: browser }) => [browser.getSession(), browser.getSession()]),
    )
    expect(names.map((session) => session?.user?.email)).toEqual(
      people.flatMap(({ email }) => [email, email]),
    )
    expect(database.countRows()).toEqual([30, 30, strategy === "database" ? 30 : 0, 0])
  },
)

test.each(["database", "jwt"] as const)(
  "twenty concurrent reads of a session that is due for renewal all succeed (%s)",
  async (strategy) => {
    const app = await createLinkingApp({ session: { strategy } })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    await withFrozenTime(Date.now() + 2 * day, async () => {
      const sessions = await readSessions(Array.from({ length: 20 }, () => browser))
      expect(sessions.map((session) => session?.user?.email)).toEqual(
        sessions.map(() => "ada@example.com"),
      )
    })
    expect(await browser.getSession()).not.toBeNull()
    expect(app.log.errorCodes()).toEqual([])
  },
)
