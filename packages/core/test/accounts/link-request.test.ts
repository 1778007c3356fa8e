import { assertRefused, getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import { ada, bob, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const sessionCookieName = "__Secure-authjs.session-token"
const strategies = ["database", "jwt"] as const
const linkFields = { link: "true" }

/** An application with Ada signed in through `work`; the other provider has Bob. */
async function signInAda(strategy: "database" | "jwt", changes: Partial<TestAppConfig> = {}) {
  const app = await createLinkingApp({ session: { strategy }, ...changes })
  app.work.setUser(ada)
  app.club.setUser(bob)
  const person = app.openBrowser()
  await person.signIn(app.work)
  const id = String(app.rows("User")[0]?.["id"])
  return { ...app, person, id }
}

/** Signs Bob in as a separate user through `club`. */
async function signInBob(app: LinkingApp): Promise<TestBrowser> {
  const browser = app.openBrowser()
  await browser.signIn(app.club)
  return browser
}

function readName(session: Awaited<ReturnType<TestBrowser["getSession"]>>): unknown {
  return session?.user?.name
}

describe.each(strategies)("linking by a signed-in user (%s)", (strategy) => {
  test("adds the account to the user if it was requested", async () => {
    const app = await signInAda(strategy)
    const response = await app.person.open(
      app.club.approve(
        await app.person.startSignIn(app.club, { ...linkFields, callbackUrl: "/account" }),
      ),
    )
    expect(response.headers.get("location")).toBe("https://app.example/account")
    expect(readName(await app.person.getSession())).toBe("Ada")
    expect(app.listAccounts()).toEqual([`club ${app.id}`, `work ${app.id}`])
    expect(app.rows("User")).toHaveLength(1)
    await app.person.signOut()
    await app.person.signIn(app.club)
    expect(readName(await app.person.getSession())).toBe("Ada")
  })

  test("adds the account even if another user has its address", async () => {
    const app = await signInAda(strategy)
    await app.createUser({ email: "bob@example.com", name: "Bob" })
    await app.person.signIn(app.club, linkFields)
    expect(app.listAccounts()).toEqual([`club ${app.id}`, `work ${app.id}`])
  })

  test("keeps an account that the user already has, and the user stays signed in", async () => {
    const app = await signInAda(strategy)
    await app.person.signIn(app.club, linkFields)
    await app.person.signIn(app.club, linkFields)
    expect(readName(await app.person.getSession())).toBe("Ada")
    expect(app.listAccounts()).toEqual([`club ${app.id}`, `work ${app.id}`])
  })

  test("is refused if another user has the account, and the session stays", async () => {
    const app = await signInAda(strategy)
    await signInBob(app)
    const before = [app.person.cookies.get(sessionCookieName)?.value, app.countRows()]
    const response = await app.person.signIn(app.club, linkFields)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect([app.person.cookies.get(sessionCookieName)?.value, app.countRows()]).toEqual(before)
    expect(readName(await app.person.getSession())).toBe("Ada")
  })

  test("does not happen without a request: the owner of the account is signed in instead", async () => {
    const app = await signInAda(strategy)
    await app.person.signIn(app.club)
    expect(readName(await app.person.getSession())).toBe("Bob")
    expect(app.listAccounts()).toHaveLength(2)
    expect(app.rows("User")).toHaveLength(2)
  })

  test("cannot be requested in the query", async () => {
    const app = await signInAda(strategy)
    const url = await app.person.startSignIn(app.club, {}, linkFields)
    await app.person.open(app.club.approve(url))
    expect(readName(await app.person.getSession())).toBe("Bob")
    expect(app.rows("User")).toHaveLength(2)
  })

  test("the response to an attacker's own request links nothing in the victim's browser", async () => {
    const app = await signInAda(strategy)
    const mallory = app.openBrowser()
    app.work.setUser({ sub: "mallory", email: "mallory@example.com", name: "Mallory" })
    await mallory.signIn(app.work)
    const comeback = app.club.approve(await mallory.startSignIn(app.club, linkFields))
    expectExpiredResponseIgnored(await app.person.open(comeback))
    expect(app.listAccounts().filter((account) => account.startsWith("club"))).toEqual([])
    expect(readName(await app.person.getSession())).toBe("Ada")
  })

  test("is refused if another user has signed in meanwhile", async () => {
    const app = await signInAda(strategy)
    const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields))
    app.work.setUser({ sub: "cleo", email: "cleo@example.com", name: "Cleo" })
    await app.person.signIn(app.work)
    const response = await app.person.open(comeback)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(app.listAccounts().filter((account) => account.startsWith("club"))).toEqual([])
    expect(readName(await app.person.getSession())).toBe("Cleo")
  })

  test("is refused if the user has signed out meanwhile", async () => {
    const app = await signInAda(strategy)
    const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields))
    await app.person.signOut()
    assertRefused(await app.person.open(comeback))
    expect(await app.person.getSession()).toBeNull()
    expect(app.listAccounts()).toEqual([`work ${app.id}`])
  })

  test("does not link to a session that was planted after the start", async () => {
    const app = await signInAda(strategy)
    const mallory = await signInBob(app)
    const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields), {
      user: { ...bob, sub: "new" },
    })
    const planted = mallory.cookies.get(sessionCookieName)?.value ?? ""
    const cookie = `${sessionCookieName}=${encodeURIComponent(planted)}; Path=/; Secure; HttpOnly`
    app.person.cookies.setUnchecked("https://app.example", cookie)
    assertRefused(await app.person.open(comeback))
    expect(app.listAccounts().filter((account) => account.startsWith("club"))).toHaveLength(1)
  })

  test("is refused if nobody is signed in", async () => {
    const app = await signInAda(strategy)
    const stranger = app.openBrowser()
    const csrfToken = await stranger.getCsrfToken()
    const response = await stranger.post("/auth/signin/club", { csrfToken, ...linkFields })
    assertRefused(response)
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
  })

  test.each(["getUser", "linkAccount"] as const)(
    "a fault in %s links nothing, signs nobody out, and a retry succeeds",
    async (method) => {
      const app = await signInAda(strategy)
      const url = await app.person.startSignIn(app.club, linkFields)
      app.failMethod(method)
      assertRefused(await app.person.open(app.club.approve(url)))
      expect(app.listAccounts()).toEqual([`work ${app.id}`])
      expect(readName(await app.person.getSession())).toBe("Ada")
      await app.person.signIn(app.club, linkFields)
      expect(app.listAccounts()).toEqual([`club ${app.id}`, `work ${app.id}`])
      expect(app.rows("User")).toHaveLength(1)
    },
  )
})

describe.each(strategies)('with `accountLinking: "signed-in"` (%s)', (strategy) => {
  test("every sign-in of a signed-in user adds the account", async () => {
    const app = await signInAda(strategy, { accountLinking: "signed-in" })
    await app.person.signIn(app.club)
    expect(readName(await app.person.getSession())).toBe("Ada")
    expect(app.listAccounts()).toEqual([`club ${app.id}`, `work ${app.id}`])
  })

  test("an account of another user is refused, and the session stays", async () => {
    const app = await signInAda(strategy, { accountLinking: "signed-in" })
    await signInBob(app)
    assertRefused(await app.person.signIn(app.club))
    expect(readName(await app.person.getSession())).toBe("Ada")
  })

  test("a sign-in that started before anyone was signed in adds nothing", async () => {
    const app = await signInAda(strategy, { accountLinking: "signed-in" })
    await app.person.signOut()
    const comeback = app.club.approve(await app.person.startSignIn(app.club))
    await app.person.signIn(app.work)
    await app.person.open(comeback)
    expect(readName(await app.person.getSession())).toBe("Bob")
    expect(app.rows("User")).toHaveLength(2)
  })
})

test("linking is refused if the user has signed in again meanwhile, because that is another session", async () => {
  const app = await signInAda("database")
  const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields))
  await app.person.signIn(app.work)
  assertRefused(await app.person.open(comeback))
  expect(app.listAccounts()).toEqual([`work ${app.id}`])
})

test("an expired session links nothing", async () => {
  const app = await signInAda("database")
  const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields))
  const [session] = app.rows("Session")
  const sessionToken = String(session?.["sessionToken"])
  await app.adapter.updateSession({ sessionToken, expires: new Date(Date.now() - 1000) })
  assertRefused(await app.person.open(comeback))
  expect(app.listAccounts()).toEqual([`work ${app.id}`])
})

test("a user who was deleted meanwhile is not given an account", async () => {
  const app = await signInAda("jwt")
  const comeback = app.club.approve(await app.person.startSignIn(app.club, linkFields))
  await app.adapter.deleteUser(app.id)
  assertRefused(await app.person.open(comeback))
  expect(app.countRows()).toEqual([0, 0, 0, 0])
})
