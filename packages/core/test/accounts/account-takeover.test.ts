/** Account linking must not give access to another user's account. */
import { getRedirectError, getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

describe("a revoked session", () => {
  test("cannot link an account, even though its cookie still decrypts", async () => {
    let revoked = false
    const app = await createLinkingApp({
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token }) => (revoked ? null : token) },
    })
    app.work.setUser(ada)
    const thief = app.openBrowser()
    await thief.signIn(app.work)
    const before = app.listAccounts()
    revoked = true
    const response = await thief.post("/auth/signin/club", {
      csrfToken: await thief.getCsrfToken(),
      link: "true",
    })
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(app.listAccounts()).toEqual(before)
  })

  test("cannot link an account if it is revoked while the user is at the provider", async () => {
    let revoked = false
    const app = await createLinkingApp({
      session: { strategy: "jwt" },
      callbacks: { jwt: ({ token, account }) => (revoked && !account ? null : token) },
    })
    app.work.setUser(ada)
    const thief = app.openBrowser()
    await thief.signIn(app.work)
    const authorizationUrl = await thief.startSignIn(app.club, { link: "true" })
    const before = app.listAccounts()
    revoked = true
    app.club.setUser(bob)
    const response = await thief.open(app.club.approve(authorizationUrl))
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(app.listAccounts()).toEqual(before)
  })
})

test("a form token issued without a session does not link an account to the signed-in user", async () => {
  const app = await createLinkingApp()
  app.work.setUser(ada)
  const alice = app.openBrowser()
  const planted = await alice.getCsrfToken()
  const pair = alice.cookies.get("__Host-authjs.csrf-token")?.value ?? ""
  await alice.signIn(app.work)
  alice.cookies.setUnchecked(`${alice.origin}/`, `__Host-authjs.csrf-token=${pair}; Path=/; Secure`)
  const response = await alice.post("/auth/signin/club", { csrfToken: planted, link: "true" })
  expect(getRedirectError(response)).toBe("MissingCSRF")
  expect(getSetCookieNames(response)).toEqual([])
})

describe("an address that is not clearly verified", () => {
  test.each([false, "false", "False", "no", 0, "0", {}])(
    "is not linked to the user who has it: email_verified %o",
    async (email_verified) => {
      const app = await createLinkingApp({}, { allowDangerousEmailAccountLinking: true })
      app.work.setUser(ada)
      await app.openBrowser().signIn(app.work)
      app.club.setUser({ ...ada, sub: "other", email_verified: email_verified as boolean })
      const response = await app.openBrowser().signIn(app.club)
      expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    },
  )

  test.each([
    ["\u212Aate@example.com", "kate@example.com"],
    ["\uFF4Bate@example.com", "kate@example.com"],
    ["ad\u0131@example.com", "adi@example.com"],
  ])("is not linked to a user whose address only looks the same: %s", async (email, own) => {
    const app = await createLinkingApp({}, { allowDangerousEmailAccountLinking: true })
    app.work.setUser({ ...ada, email: own })
    await app.openBrowser().signIn(app.work)
    const [kate] = app.rows("User")
    app.club.setUser({ ...ada, sub: "other", email })
    await app.openBrowser().signIn(app.club)
    expect(app.listAccounts()).not.toContain(`club ${kate?.["id"]}`)
  })
})

test("user and account are stored in one operation if the adapter can", async () => {
  const { adapter, countRows, failMethod } = await createTestDatabase({ atomic: true })
  const app = await createLinkingApp({ adapter })
  app.work.setUser(ada)
  failMethod("createUserWithAccount")
  expect(getRedirectError(await app.openBrowser().signIn(app.work))).toBe("Configuration")
  expect(countRows()).toEqual([0, 0, 0, 0])
  const alice = app.openBrowser()
  await alice.signIn(app.work)
  expect(await alice.getSession()).not.toBeNull()
  expect(countRows()).toEqual([1, 1, 1, 0])
})

test("the signIn callback receives the stored user to whom a known address would be linked", async () => {
  const seen: unknown[] = []
  const app = await createLinkingApp(
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
  app.work.setUser(ada)
  await app.openBrowser().signIn(app.work)
  const [stored] = app.rows("User")
  app.club.setUser({ ...ada, sub: "other" })
  await app.openBrowser().signIn(app.club)
  expect(seen.at(-1)).toBe(stored?.["id"])
})
