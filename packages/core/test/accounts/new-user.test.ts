import { getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { ada, bob, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"

const strategies = ["database", "jwt"] as const

function getLocation(response: Response): string | null {
  return response.headers.get("location")
}

describe("`pages.newUser`", () => {
  test.each(strategies)(
    "is opened for a new user, and not for an existing one (%s)",
    async (strategy) => {
      const app = await createLinkingApp({
        session: { strategy },
        pages: { newUser: "/welcome?tour=1#top" },
      })
      const browser = app.openBrowser()
      const first = await browser.signIn(app.work)
      expect(getLocation(first)).toBe(
        `/welcome?tour=1&callbackUrl=${encodeURIComponent("https://app.example")}#top`,
      )
      expect(getLocation(await browser.signIn(app.work))).toBe("https://app.example")
    },
  )

  test("receives the callback URL", async () => {
    const app = await createLinkingApp({ pages: { newUser: "/welcome" } })
    const browser = app.openBrowser()
    const authorizationUrl = await browser.startSignIn(app.work, { callbackUrl: "/cart?id=1" })
    const response = await browser.open(app.work.approve(authorizationUrl))
    const to = new URL(getLocation(response) ?? "", "https://app.example")
    expect(to.searchParams.get("callbackUrl")).toBe("https://app.example/cart?id=1")
  })

  test("is opened for a new user with an e-mail link", async () => {
    const app = await createEmailApp({ pages: { newUser: "https://www.app.example/hello" } })
    const browser = app.openBrowser()
    expect(getLocation(await browser.open(await app.receiveLink(browser)))).toBe(
      `https://www.app.example/hello?callbackUrl=${encodeURIComponent("https://app.example")}`,
    )
    expect(getLocation(await browser.open(await app.receiveLink(browser)))).toBe(
      "https://app.example",
    )
  })

  test("is not opened if an account is only linked", async () => {
    const app = await createLinkingApp({ pages: { newUser: "/welcome" } })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    app.club.setUser(bob)
    expect(getLocation(await browser.signIn(app.club, { link: "true" }))).toBe(
      "https://app.example",
    )
  })
})

/** The id of a user, as the `session` callback reads it from the token. */
async function readSubject(browser: TestBrowser): Promise<unknown> {
  return (await browser.getSession())?.["sub"]
}

function createAppWithoutDatabase(app: LinkingApp) {
  return createTestApp({
    providers: [app.work.asOidc(), app.club.asOidc()],
    callbacks: {
      session: ({ session, token }) => ({ ...session, sub: token.sub }),
    },
  })
}

describe("the user id without a database", () => {
  test("is the same at every sign-in, and is a UUID", async () => {
    const testApp = await createLinkingApp()
    const app = createAppWithoutDatabase(testApp)
    const [one, two] = [app.openBrowser(), app.openBrowser()]
    await one.signIn(testApp.work)
    testApp.work.setUser({ ...ada, sub: "ada", email: "new@example.com", name: "Ada King" })
    await two.signIn(testApp.work)
    const id = await readSubject(one)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await readSubject(two)).toBe(id)
    expect(await readSubject(one)).toBe(id)
  })

  test("differs between accounts of one provider, and between providers", async () => {
    const testApp = await createLinkingApp()
    const app = createAppWithoutDatabase(testApp)
    const ids = new Set<unknown>()
    for (const [provider, sub] of [
      [testApp.work, "1"],
      [testApp.work, "2"],
      [testApp.club, "1"],
    ] as const) {
      provider.setUser({ ...ada, sub })
      const browser = app.openBrowser()
      await browser.signIn(provider)
      ids.add(await readSubject(browser))
    }
    expect(ids.size).toBe(3)
  })

  test("is also passed to `signIn`, `jwt` and the event", async () => {
    const testApp = await createLinkingApp()
    const seen = new Set<unknown>()
    const app = createTestApp({
      providers: [testApp.work.asOidc()],
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
    await app.openBrowser().signIn(testApp.work)
    expect(seen.size).toBe(1)
  })
})

describe("a user without a valid address", () => {
  test.each([
    undefined,
    null,
    "",
    42,
    ["ada@example.com"],
    "no sign",
    `${"a".repeat(320)}@b.example`,
  ])("(%j) is stored without an address", async (email) => {
    const app = await createLinkingApp()
    app.work.setUser({ sub: "ada", name: "Ada", email: email as string })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
    expect(app.rows("User").map((row) => row["email"])).toEqual([null])
    expect(app.calls).not.toContain("getUserByEmail")
  })

  test("is passed to the adapter without the field, so that its own default applies", async () => {
    const app = await createLinkingApp()
    const created: object[] = []
    const create = app.adapter.createUser
    app.adapter.createUser = (user) => {
      created.push(user)
      return create(user)
    }
    app.work.setUser({ sub: "ada", name: "Ada" })
    await app.openBrowser().signIn(app.work)
    expect(created).toHaveLength(1)
    expect(created[0]).not.toHaveProperty("email")
  })
})

test("an address that the provider verified does not set `emailVerified`", async () => {
  const app = await createLinkingApp()
  app.work.setUser({ ...ada, email_verified: true })
  const response = await app.openBrowser().signIn(app.work)
  expect(getRedirectError(response)).toBeNull()
  expect(app.rows("User")).toMatchObject([{ email: "ada@example.com", emailVerified: null }])
})
