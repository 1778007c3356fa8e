import type { Provider } from "@latchkey/core/providers"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { assertRefused, createMailbox, getRedirectError } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { ada, bob, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"

const notLinkedUrl = "https://app.example/auth/signin?error=OAuthAccountNotLinked"

describe("a provider sign-in with the address of another user", () => {
  test.each(["ada@example.com", "ADA@Example.Com"])("is refused (%s)", async (email) => {
    const app = await createLinkingApp()
    await app.openBrowser().signIn(app.work)
    app.club.setUser({ ...ada, sub: "somebody", email })
    const mallory = app.openBrowser()
    const response = await mallory.signIn(app.club)
    assertRefused(response)
    expect(response.headers.get("location")).toBe(notLinkedUrl)
    expect(await (await mallory.followRedirect(response)).text()).toContain(
      "Sign in with the account you used originally",
    )
    expect(await mallory.getSession()).toBeNull()
    expect(app.countRows()).toEqual([1, 1, 1, 0])
  })

  test("is refused even if that user has no account", async () => {
    const app = await createLinkingApp()
    await app.createUser()
    assertRefused(await app.openBrowser().signIn(app.work))
    expect(app.listAccounts()).toEqual([])
  })
})

describe("a provider with `allowEmailLinking`", () => {
  const optedIn = { allowDangerousEmailAccountLinking: true }

  test.each([true, undefined])("is linked to the user if the address is %s", async (verified) => {
    const app = await createLinkingApp({}, optedIn)
    const { id } = await app.createUser()
    const { email_verified: _, ...rest } = ada
    app.club.setUser(verified === undefined ? rest : { ...rest, email_verified: verified })
    const browser = app.openBrowser()
    await browser.signIn(app.club)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(app.listAccounts()).toEqual([`club ${id}`])
    expect(app.countRows()).toEqual([1, 1, 1, 0])
  })

  test.each([false, "false"])(
    "is refused if the provider says that the address is unverified: %j",
    async (denial) => {
      const app = await createLinkingApp({}, optedIn)
      await app.createUser()
      app.club.setUser({ ...ada, email_verified: denial as boolean })
      const mallory = app.openBrowser()
      const response = await mallory.signIn(app.club)
      assertRefused(response)
      expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
      expect(await mallory.getSession()).toBeNull()
      expect(app.countRows()).toEqual([1, 0, 0, 0])
    },
  )

  test("does not store an unverified address, even if no user has it", async () => {
    const app = await createLinkingApp({}, optedIn)
    app.club.setUser({ ...ada, email_verified: false })
    const browser = app.openBrowser()
    await browser.signIn(app.club)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
    expect(app.rows("User").map(({ email }) => email)).toEqual([null])
    await app.openBrowser().signIn(app.work)
    expect(app.rows("User").map(({ email }) => email)).toEqual([null, "ada@example.com"])
  })

  test("does not allow linking for other providers", async () => {
    const app = await createLinkingApp({}, optedIn)
    await app.createUser()
    assertRefused(await app.openBrowser().signIn(app.work))
  })
})

/** An application that also sends sign-in links by e-mail. */
async function createAppWithEmail() {
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const mail: Provider = nodemailer({ server: inbox.server, from: "hello@app.example" })
  const app = await createLinkingApp()
  const providers = [...app.config.providers, mail]
  app.config.providers = providers
  const open = async (browser: ReturnType<LinkingApp["openBrowser"]>, email: string) => {
    await browser.signIn("nodemailer", { email })
    return browser.open(inbox.getLatestLink())
  }
  return { ...app, open }
}

describe("an attacker with the address of another person", () => {
  test("never shares a user with the owner if the provider says that the address is unverified", async () => {
    const app = await createAppWithEmail()
    app.work.setUser({ ...ada, sub: "squatter", email_verified: false })
    const squatter = app.openBrowser()
    await squatter.signIn(app.work)
    expect(await squatter.getSession()).not.toBeNull()
    expect(app.rows("User").map(({ email }) => email)).toEqual([null])

    const owner = app.openBrowser()
    await app.open(owner, "ada@example.com")
    expect(await owner.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    const [account] = app.rows("Account")
    const theirs = app.rows("User").find(({ email }) => email === "ada@example.com")
    expect(theirs?.["id"]).not.toBe(account?.["userId"])
    expect(app.countRows()).toEqual([2, 1, 2, 0])
  })

  test("keeps an unverified address if addresses do not identify users", async () => {
    const app = await createLinkingApp()
    app.work.setUser({ ...ada, email_verified: false })
    await app.openBrowser().signIn(app.work)
    expect(app.rows("User").map(({ email }) => email)).toEqual(["ada@example.com"])
  })

  test("is refused after the owner has signed in with the address", async () => {
    const app = await createAppWithEmail()
    await app.open(app.openBrowser(), "ada@example.com")
    app.work.setUser({ ...ada, sub: "squatter", email_verified: false })
    assertRefused(await app.openBrowser().signIn(app.work))
    expect(app.countRows()).toEqual([1, 0, 1, 0])
  })
})

describe("an account is identified by the provider and the id at the provider", () => {
  test("the same id at two providers belongs to two users", async () => {
    const app = await createLinkingApp()
    app.work.setUser({ ...ada, sub: "7" })
    app.club.setUser({ ...bob, sub: "7" })
    const [one, two] = [app.openBrowser(), app.openBrowser()]
    await one.signIn(app.work)
    await two.signIn(app.club)
    expect(await one.getSession()).toMatchObject({ user: { name: "Ada" } })
    expect(await two.getSession()).toMatchObject({ user: { name: "Bob" } })
    expect(app.countRows()).toEqual([2, 2, 2, 0])
  })

  test("a new address or name at the provider does not change the user", async () => {
    const app = await createLinkingApp()
    await app.openBrowser().signIn(app.work)
    const [before] = app.rows("User")
    app.work.setUser({ ...ada, email: "married@example.com", name: "Ada King" })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(app.rows("User")).toEqual([before])
  })

  test("a new address that another user has does not change the user", async () => {
    const app = await createLinkingApp()
    await app.openBrowser().signIn(app.work)
    await app.createUser({ email: "bob@example.com", name: "Bob" })
    app.work.setUser({ ...ada, email: "bob@example.com" })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("two sign-ins without an address belong to two users", async () => {
    const app = await createLinkingApp()
    for (const sub of ["first", "second"]) {
      app.work.setUser({ sub, name: sub })
      const browser = app.openBrowser()
      await browser.signIn(app.work)
      expect(await browser.getSession()).toMatchObject({ user: { name: sub } })
    }
    expect(app.countRows()).toEqual([2, 2, 2, 0])
  })
})
