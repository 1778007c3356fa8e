import { getRedirectError, type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { OpenDatabase } from "./support/adapter-setup.ts"
import { adapterSetups } from "./support/adapter-setups.ts"
import {
  ada,
  bob,
  createTestApplication,
  type SessionStrategy,
  type TestApplication,
} from "./support/test-application.ts"

const strategies: readonly SessionStrategy[] = ["database", "jwt"]
// With sessions in cookies, adapters get the same calls but those for sessions: one adapter is enough, and those that
// differ. `adapters-reference.test.ts` tries both strategies on each adapter.
const adapterCases = adapterSetups.flatMap((kind, index) =>
  strategies
    .filter((strategy) => strategy === "database" || index === 0 || kind.deletesOnlyWithSession)
    .map((strategy) => ({ ...kind, kind, strategy })),
)
const day = 86_400_000

const getAttemptsLeft = (response: Response): string | null =>
  new URL(response.headers.get("location") ?? "").searchParams.get("attempts")

describe.each(adapterCases)(
  "signing in with $adapter on $database, $strategy sessions",
  (adapterCase) => {
    const { kind, strategy } = adapterCase
    /** Whether sessions are stored in the database. */
    const storedSessions = (count: number): number => (strategy === "database" ? count : 0)
    let database: OpenDatabase
    let application: TestApplication

    beforeAll(async () => {
      database = await kind.openDatabase()
    })
    afterAll(() => database[Symbol.asyncDispose]())
    beforeEach(async () => {
      await database.deleteRows()
      application = await createTestApplication(database, strategy)
      application.oidcProvider.setUser(ada)
      application.oauthProvider.setUser(ada)
    })
    afterEach(() => application[Symbol.asyncDispose]())

    const readUserName = async (browser: TestBrowser) => (await browser.getSession())?.user?.name

    test("an OpenID Connect provider: sign in, session, sign out, and in again as the same user", async () => {
      const browser = application.openBrowser()
      const response = await browser.signIn(application.oidcProvider, { callbackUrl: "/account" })
      expect(response.headers.get("location")).toBe("https://app.example/account")
      const session = await browser.getSession()
      // Some adapters leave out what is null, and the session then lacks the key as in Auth.js.
      expect({ ...session, user: { image: null, ...session?.user } }).toEqual({
        user: { name: "Ada", email: "ada@example.com", image: null },
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      })
      expect(await database.countRows()).toEqual([1, 1, storedSessions(1)])
      expect(
        await database.db.account({ provider: "work", providerAccountId: "ada" }),
      ).toMatchObject({
        type: "oidc",
        access_token: expect.any(String),
        id_token: expect.any(String),
        expires_at: expect.any(Number),
        token_type: "bearer",
      })
      await browser.signOut()
      expect(await browser.getSession()).toBeNull()
      expect(await database.countRows()).toEqual([1, 1, 0])
      await browser.signIn(application.oidcProvider)
      expect(await readUserName(browser)).toBe("Ada")
      expect(await database.countRows()).toEqual([1, 1, storedSessions(1)])
      expect(application.errors).toEqual([])
    })

    test("an OAuth provider without an address, twice", async () => {
      const nobody = { sub: "nobody", name: "Nobody" }
      application.oauthProvider.setUser(nobody)
      const browser = application.openBrowser()
      await browser.signIn(application.oauthProvider)
      expect(await readUserName(browser)).toBe("Nobody")
      application.oauthProvider.setUser({ ...nobody, sub: "another" })
      await application.openBrowser().signIn(application.oauthProvider)
      expect(await database.countRows()).toEqual([2, 2, storedSessions(2)])
      expect(application.errors).toEqual([])
    })

    test("a link by e-mail: `emailVerified` keeps the date of the first", async () => {
      const browser = application.openBrowser()
      const link = await application.requestLink(browser, "Ada@Example.com")
      const first = await browser.open(link)
      expect(getRedirectError(first)).toBeNull()
      expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
      const stored = await database.adapter.getUserByEmail?.("ada@example.com")
      expect(stored?.emailVerified).toBeInstanceOf(Date)
      expect(await database.countRows()).toEqual([1, 0, storedSessions(1)])

      const other = application.openBrowser()
      const csrfToken = await other.getCsrfToken()
      const second = await other.post(link, { csrfToken })
      expect(getRedirectError(second), "used a second time").toBe("Verification")
      await browser.signOut()
      await browser.open(await application.requestLink(browser, "ada@example.com"))
      const again = await database.adapter.getUserByEmail?.("ada@example.com")
      expect(again).toEqual(stored)
      expect(await database.countRows()).toEqual([1, 0, storedSessions(1)])
    })

    test("the code of an e-mail: signs in after a wrong one, and is used up with its link", async () => {
      const browser = application.openBrowser()
      const link = await application.requestLink(browser, "ada@example.com")
      const request = { email: "ada@example.com", code: application.mailbox.code() }
      const wrongCode = String((Number(request.code) + 1) % 1_000_000).padStart(6, "0")
      const wrong = await browser.signIn("nodemailer", { ...request, code: wrongCode })
      expect(getAttemptsLeft(wrong)).toBe("4")
      const other = application.openBrowser()
      const csrfToken = await other.getCsrfToken()
      expect(getAttemptsLeft(await other.post(link, { csrfToken, code: wrongCode }))).toBe("3")
      await browser.signIn("nodemailer", request)
      expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
      const second = await other.post(link, { csrfToken, code: request.code })
      expect(getRedirectError(second), "used a second time").toBe("Verification")
      expect(await database.countRows()).toEqual([1, 0, storedSessions(1)])
    })

    test("a session is renewed when it is due, and expires otherwise", async () => {
      const browser = application.openBrowser()
      const before = Date.now()
      await browser.signIn(application.oidcProvider)
      const early = await withFrozenTime(before + day / 2, () => browser.getSession())
      expect(Date.parse(early?.expires ?? "") - before).toBeLessThan(30 * day + 60_000)
      const late = await withFrozenTime(before + 2 * day, async () => {
        await browser.getSession() // has the expiry before the renewal if the session is stored
        return browser.getSession()
      })
      expect(Math.abs(Date.parse(late?.expires ?? "") - before - 32 * day)).toBeLessThan(1000)
      expect(await withFrozenTime(before + 31 * day, () => readUserName(browser))).toBe("Ada")
      expect(await withFrozenTime(before + 65 * day, () => browser.getSession())).toBeNull()
      expect(await database.countRows()).toEqual([1, 1, 0])
    })

    test("an update reaches the callback, and its result reaches the browser", async () => {
      const { config, oidcProvider } = application
      config.callbacks = {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: session.name } : token,
        async session({ session, user, newSession, trigger }) {
          if (strategy === "database" && trigger === "update") {
            const updated = await database.adapter.updateUser?.({
              id: user.id,
              name: newSession.name,
            })
            return { ...session, user: { name: updated?.name ?? null } }
          }
          return { user: { name: session.user.name ?? null }, expires: session.expires.toString() }
        },
      }
      const browser = application.openBrowser()
      await browser.signIn(oidcProvider)
      const response = await browser.updateSession({ name: "Countess of Lovelace" })
      expect(await response.json()).toMatchObject({ user: { name: "Countess of Lovelace" } })
      expect(await readUserName(browser)).toBe("Countess of Lovelace")
    })

    test("another account with the same address is refused, and linked on request", async () => {
      await application.openBrowser().signIn(application.oidcProvider)
      const browser = application.openBrowser()
      expect(getRedirectError(await browser.signIn(application.oauthProvider))).toBe(
        "OAuthAccountNotLinked",
      )
      expect(await browser.getSession()).toBeNull()
      expect(await database.countRows()).toEqual([1, 1, storedSessions(1)])

      await browser.signIn(application.oidcProvider)
      const linked = await browser.signIn(application.oauthProvider, { link: "true" })
      expect(getRedirectError(linked)).toBeNull()
      expect(await database.countRows()).toEqual([1, 2, storedSessions(2)])
      await browser.signOut()
      await browser.signIn(application.oauthProvider)
      expect(await readUserName(browser)).toBe("Ada")
      expect(await database.countRows()).toEqual([1, 2, storedSessions(2)])
    })

    test("an account of another user is not linked", async () => {
      application.oauthProvider.setUser(bob)
      await application.openBrowser().signIn(application.oauthProvider)
      const browser = application.openBrowser()
      await browser.signIn(application.oidcProvider)
      expect(
        getRedirectError(await browser.signIn(application.oauthProvider, { link: "true" })),
      ).toBe("OAuthAccountNotLinked")
      expect(await readUserName(browser)).toBe("Ada")
      expect(await database.countRows()).toEqual([2, 2, storedSessions(2)])
    })

    test("a deleted user can sign up again", async () => {
      const browser = application.openBrowser()
      await browser.signIn(application.oidcProvider)
      const user = await database.adapter.getUserByEmail?.("ada@example.com")
      const deletion = (async () => database.adapter.deleteUser?.(user?.id ?? ""))()
      if (kind.deletesOnlyWithSession && strategy === "jwt") {
        return expect(deletion).rejects.toThrow("Invalid key")
      }
      await deletion
      if (strategy === "database") expect(await browser.getSession()).toBeNull()
      const newBrowser = application.openBrowser()
      expect(getRedirectError(await newBrowser.signIn(application.oidcProvider))).toBeNull()
      expect(await readUserName(newBrowser)).toBe("Ada")
      const other = await database.adapter.getUserByEmail?.("ada@example.com")
      expect(other?.id).not.toBe(user?.id)
      expect(await database.countRows()).toEqual([1, 1, storedSessions(1)])
    })
  },
)
