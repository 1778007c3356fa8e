/** Cases 157 and 158: an attacker signs up with another person's address and waits for its owner. */
import nodemailer from "@latchkey/core/providers/nodemailer"
import { createMailbox, getRedirectError, type TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { ada, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const { email_verified: _, ...silentAda } = ada
const squatter = { ...silentAda, sub: "squatter", name: "Squatter" }

interface EmailLinkingApp extends LinkingApp {
  /** Requests a link by e-mail and opens it. */
  signInByLink(browser: TestBrowser): Promise<Response>
  getLatestLink(): string
}

/** @param workOptions options of the provider `work`, whose profiles say nothing about the address */
async function createEmailLinkingApp(
  workOptions: object = {},
  changes: Partial<TestAppConfig> = {},
): Promise<EmailLinkingApp> {
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const app = await createLinkingApp(changes, { allowDangerousEmailAccountLinking: true })
  const email = nodemailer({ server: inbox.server, from: "hello@app.example" })
  app.config.providers = [app.work.asOidc(workOptions), ...app.config.providers.slice(1), email]
  app.work.setUser(squatter)
  app.club.setUser(ada)
  return {
    ...app,
    getLatestLink: () => inbox.getLatestLink(),
    async signInByLink(browser) {
      await browser.signIn("nodemailer", { email: ada.email })
      return browser.open(inbox.getLatestLink())
    },
  }
}

/** Stores the squatter as an earlier version or Auth.js did: with the address. */
async function storeSquatter(app: EmailLinkingApp): Promise<string> {
  const { id } = await app.createUser({ name: "Squatter" })
  const key = { provider: "work", providerAccountId: squatter.sub }
  await app.adapter.linkAccount({ ...key, type: "oidc", userId: id })
  return id
}

const ownerArrivals: readonly [string, (app: EmailLinkingApp, owner: TestBrowser) => unknown][] = [
  ["a link by e-mail", (app, owner) => app.signInByLink(owner)],
  ["a provider that verified the address", (app, owner) => owner.signIn(app.club)],
]

describe("an address about which its provider says nothing", () => {
  test.each(ownerArrivals)(
    "does not sign its owner, who uses %s, in as the squatter's user",
    async (_, arrive) => {
      const app = await createEmailLinkingApp()
      const early = app.openBrowser()
      await early.signIn(app.work)
      expect(await early.getSession()).toMatchObject({ user: { name: "Squatter" } })
      expect(app.rows("User")).toMatchObject([{ name: "Squatter", email: null }])
      const owner = app.openBrowser()
      await arrive(app, owner)
      expect(await owner.getSession()).toMatchObject({ user: { email: ada.email } })
      const ownUser = app.rows("User").find(({ email }) => email === ada.email)
      expect(app.rows("User")).toHaveLength(2)
      expect(app.listAccounts()).not.toContain(`work ${ownUser?.["id"]}`)
    },
  )

  test.each([
    ["true", true],
    ["a function", () => true],
  ])("is stored if the application says it is verified: %s", async (_, emailVerified) => {
    const app = await createEmailLinkingApp({ emailVerified })
    await app.openBrowser().signIn(app.work)
    expect(app.rows("User")).toMatchObject([{ email: ada.email, emailVerified: null }])
  })

  test("is stored if addresses do not identify users", async () => {
    const app = await createLinkingApp()
    app.work.setUser(squatter)
    await app.openBrowser().signIn(app.work)
    expect(app.rows("User")).toMatchObject([{ email: ada.email }])
  })
})

describe("a stored user with an unverified address", () => {
  test("still signs in", async () => {
    const app = await createEmailLinkingApp()
    const id = await storeSquatter(app)
    const browser = app.openBrowser()
    expect(getRedirectError(await browser.signIn(app.work))).toBeNull()
    expect(app.rows("Session")).toMatchObject([{ userId: id }])
    expect(await browser.getSession()).toMatchObject({ user: { email: ada.email } })
  })

  test.each(ownerArrivals)("loses earlier sessions to its owner, with %s", async (_, arrive) => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const [early, owner] = [app.openBrowser(), app.openBrowser()]
    await early.signIn(app.work)
    await arrive(app, owner)
    expect(await early.getSession()).toBeNull()
    expect(await owner.getSession()).toMatchObject({ user: { email: ada.email } })
    expect(app.rows("Session")).toHaveLength(1)
  })

  test("keeps sessions when the address is proven again", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const [first, second] = [app.openBrowser(), app.openBrowser()]
    await app.signInByLink(first)
    await app.signInByLink(second)
    await app.openBrowser().signIn(app.club)
    expect(await first.getSession()).not.toBeNull()
    expect(await second.getSession()).not.toBeNull()
  })

  test("has no date when its owner joins: only an e-mail link sets it", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    await app.openBrowser().signIn(app.club)
    expect(app.listAccounts()).toHaveLength(2)
    expect(app.rows("User")).toMatchObject([{ emailVerified: null }])
  })

  test("stays unverified if the provider that joins says nothing about the address", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const early = app.openBrowser()
    await early.signIn(app.work)
    app.club.setUser({ ...silentAda, sub: "ada" })
    await app.openBrowser().signIn(app.club)
    expect(app.listAccounts()).toHaveLength(2)
    expect(app.rows("User")).toMatchObject([{ emailVerified: null }])
    expect(await early.getSession()).not.toBeNull()
  })

  test("is joined only if its earlier sessions have ended; the same sign-in works later", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const owner = app.openBrowser()
    app.failMethod("deleteSessions")
    await owner.signIn(app.club)
    expect(await owner.getSession()).toBeNull()
    expect(app.listAccounts()).toHaveLength(1)
    expect(app.rows("User")).toMatchObject([{ emailVerified: null }])
    await owner.signIn(app.club)
    expect(await owner.getSession()).not.toBeNull()
  })

  test("does not share a session if earlier ones cannot be ended; the same link works later", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const owner = app.openBrowser()
    app.failMethod("deleteSessions")
    expect(getRedirectError(await app.signInByLink(owner))).toBe("Configuration")
    expect(await owner.getSession()).toBeNull()
    expect(app.rows("User")).toMatchObject([{ emailVerified: null }])
    expect(getRedirectError(await owner.open(app.getLatestLink()))).toBeNull()
    expect(await owner.getSession()).not.toBeNull()
  })

  test("signs in by link with an adapter that cannot end sessions", async () => {
    const app = await createEmailLinkingApp()
    await storeSquatter(app)
    const { deleteSessions: _, ...adapter } = app.adapter
    app.config.adapter = adapter
    const owner = app.openBrowser()
    await app.signInByLink(owner)
    expect(await owner.getSession()).not.toBeNull()
  })
})
