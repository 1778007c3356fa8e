/** Records that a database finds under another key than the requested one. */
import type { Adapter, AdapterCapabilities } from "@latchkey/core/adapters"
import { assertRefused, createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { createFoldingAdapter } from "../support/folding-adapter.ts"
import { openMigratedDatabase } from "../support/migrated-database.ts"
import { createOAuthApp } from "../support/oauth-app.ts"
import { openLink } from "../support/open-link.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createPasswordApp } from "../support/password-app.ts"

const openDatabase = () => {
  const database = openMigratedDatabase()
  return { database, adapter: createFoldingAdapter(database) }
}

describe("an account whose id differs from another one", () => {
  const exactAccounts = ({ getAccount: _, ...adapter }: Adapter, exact: Adapter): Adapter => ({
    ...adapter,
    getAccount: (id, provider) => exact.getAccount?.(id, provider) ?? null,
  })

  test.each([
    ["in case", "kX9", "Kx9"],
    ["by an accent", "jose", "josé"],
    ["by a space at the end", "ada", "ada "],
  ])("%s does not sign in as its owner", async (_, own, similar) => {
    const provider = await createScriptedProvider()
    const { database, adapter } = openDatabase()
    const app = await createOAuthApp(provider.asOidc(), { adapter })
    provider.setUser({ sub: own, name: "Owner" })
    await createTestBrowser(app.app).signIn(provider)

    provider.setUser({ sub: similar, name: "Stranger" })
    const stranger = createTestBrowser(app.app)
    await stranger.signIn(provider)

    expect(await stranger.getSession()).toMatchObject({ user: { name: "Stranger" } })
    const owners = database.prepare('select distinct "userId" from "Account"').all()
    expect(owners).toHaveLength(2)
    expect(app.readLog()).toContain("getUserByAccount to find the record with exactly")
  })

  test("does not sign in as its owner when only `getAccount` compares exactly", async () => {
    const provider = await createScriptedProvider()
    const { database, adapter: folding } = openDatabase()
    const adapter = exactAccounts(folding, createFoldingAdapter(openMigratedDatabase()))
    const app = await createOAuthApp(provider.asOidc(), { adapter: folding })
    provider.setUser({ sub: "kX9", name: "Owner" })
    await createTestBrowser(app.app).signIn(provider)
    app.config.adapter = adapter

    provider.setUser({ sub: "Kx9", name: "Stranger" })
    const stranger = createTestBrowser(app.app)
    await stranger.signIn(provider)

    expect(await stranger.getSession()).toMatchObject({ user: { name: "Stranger" } })
    expect(database.prepare('select id from "User"').all()).toHaveLength(2)
  })

  test("its owner signs in again", async () => {
    const provider = await createScriptedProvider()
    const { database, adapter } = openDatabase()
    const app = await createOAuthApp(provider.asOidc(), { adapter })
    provider.setUser({ sub: "kX9", name: "Owner" })
    await createTestBrowser(app.app).signIn(provider)
    const again = createTestBrowser(app.app)
    await again.signIn(provider)

    expect(await again.getSession()).toMatchObject({ user: { name: "Owner" } })
    expect(database.prepare('select id from "User"').all()).toHaveLength(1)
  })
})

test.each([
  ["kX9kX9kX9kX9kX9kX9", "Kx9Kx9Kx9Kx9Kx9Kx9"],
  ["eeeeeeeeeeeeeeeeee", "EEEEEEEEEEEEEEEEEE"],
])("a session token %s is not the token %s", async (stored, similar) => {
  const { adapter } = openDatabase()
  const app = createPasswordApp({ adapter, session: { strategy: "database" } })
  const user = { id: "1", email: "ada@example.com", emailVerified: null }
  await adapter.createUser?.(user)
  const expires = new Date(Date.now() + 86_400_000)
  await adapter.createSession?.({ sessionToken: stored, userId: user.id, expires })
  const browser = app.openBrowser()
  const sendToken = (token: string) => {
    browser.cookies.setUnchecked(
      `${browser.origin}/`,
      `__Secure-authjs.session-token=${token}; Path=/; Secure`,
    )
    return browser.getSession()
  }

  expect(await sendToken(similar)).toBeNull()
  expect(await sendToken(stored)).toMatchObject({ user: { email: user.email } })
})

test("an adapter that stores hashes of session tokens declares it", async () => {
  const { adapter } = openDatabase()
  const hash = (token: string) => `hash of ${token}`
  const hashing: Adapter & AdapterCapabilities = {
    ...adapter,
    hashesSessionTokens: true,
    async createSession(session) {
      await adapter.createSession?.({ ...session, sessionToken: hash(session.sessionToken) })
      return session
    },
    getSessionAndUser: async (token) => (await adapter.getSessionAndUser?.(hash(token))) ?? null,
  }
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(), { adapter: hashing })
  const browser = createTestBrowser(app.app)
  await browser.signIn(provider)
  expect(await browser.getSession()).not.toBeNull()

  const undeclared = { ...hashing, hashesSessionTokens: false }
  const other = await createOAuthApp(provider.asOidc(), { adapter: undeclared })
  const otherBrowser = createTestBrowser(other.app)
  await otherBrowser.signIn(provider)
  expect(await otherBrowser.getSession()).toBeNull()
})

test("a link for one address does not prove a similar one, and still works for its own", async () => {
  const { adapter } = openDatabase()
  const app = await createEmailApp({ adapter })
  const browser = app.openBrowser()
  const link = await app.receiveLink(browser, "mıke@example.com")
  const forged = new URL(link)
  forged.searchParams.set("email", "mike@example.com")

  assertRefused(await openLink(app.openBrowser(), forged))
  await browser.open(link)

  expect(await browser.getSession()).toMatchObject({ user: { email: "mıke@example.com" } })
})

test("a passkey that the database finds under another id is not accepted", async () => {
  const app = await createPasskeyApp()
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  const { adapter } = app
  const { getAuthenticator } = adapter
  app.config.adapter = {
    ...adapter,
    getAuthenticator: async (id) => {
      const found = await getAuthenticator(id)
      return found && { ...found, credentialID: found.credentialID.toLowerCase() }
    },
  }
  const thief = app.openPasskeyBrowser(ada.device)
  assertRefused(await thief.signIn())
  expect(await thief.browser.getSession()).toBeNull()
})
