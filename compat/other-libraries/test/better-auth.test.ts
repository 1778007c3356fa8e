/** The guide for Better Auth, on tables that Better Auth itself filled. */
import { Auth } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { describe, expect, test } from "vitest"
import { installRecipe, type RecipeEngine, setEnvironment } from "./support/recipe.ts"
import { openPostgres, openSqliteFile } from "./support/recipe-database.ts"

const secret = "the secret of Better Auth, of 32 characters and more"
const ada = { name: "Ada", email: "ada@example.com", password: "correct horse \u2168" }
const bob = { name: "Bob", email: "bob@example.com", password: "battery staple" }

/** Signs two users up, one with a verified address and an account at GitHub. */
async function fillBetterAuth(engine: RecipeEngine, baseURL: string) {
  const options = {
    database: engine === "SQLite" ? openSqliteFile() : await openPostgres(),
    secret,
    baseURL,
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
  }
  setEnvironment({ BETTER_AUTH_SECRET: secret, BETTER_AUTH_URL: baseURL })
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  const auth = betterAuth(options)
  const signUp = async (body: typeof ada) => {
    const response = await auth.api.signUpEmail({ body, asResponse: true })
    const { user } = await response.json()
    return { id: String(user.id), cookies: response.headers.getSetCookie() }
  }
  const [first, second] = [await signUp(ada), await signUp(bob)]
  const context = await auth.$context
  await context.internalAdapter.updateUser(first.id, { emailVerified: true })
  const account = { userId: first.id, providerId: "github", accountId: "583231" }
  await context.internalAdapter.createAccount(account)
  return { ada: first, bob: second }
}

const engines: readonly RecipeEngine[] = ["SQLite", "PostgreSQL"]
const origins = ["https://app.example", "http://app.example"]

describe.each(engines)("on %s", (engine) => {
  async function openMovedApp(origin = "https://app.example") {
    const users = await fillBetterAuth(engine, origin)
    const recipe = await installRecipe("migrating-from-better-auth", engine)
    const github = await createScriptedProvider({ id: "github" })
    github.setUser({ sub: "583231", name: "Ada at GitHub", email: ada.email, email_verified: true })
    await recipe.run("move.ts")
    const errors: unknown[] = []
    const config = {
      ...recipe.config,
      providers: [github.asOAuth(), ...recipe.config.providers.slice(1)],
      secret: "the secret of Latchkey, of 32 characters and more",
      trustHost: true,
      logger: { error: (...line: unknown[]) => void errors.push(line), warn: () => undefined },
    }
    const openBrowser = () => createTestBrowser((request) => Auth(request, config), { origin })
    return { users, recipe, github, errors, openBrowser }
  }

  test.each(origins)("users stay signed in at %s", async (origin) => {
    const { users, openBrowser, errors } = await openMovedApp(origin)
    const browser = openBrowser()
    browser.storeCookies(users.ada.cookies)
    const { id } = users.ada
    const user = { id, name: "Ada", email: ada.email }
    expect(await browser.getSession()).toMatchObject({ user })
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    expect([errors, browser.cookies.rejected]).toEqual([[], []])
  })

  test("passwords are accepted, whether the address is verified or not", async () => {
    const { users, openBrowser } = await openMovedApp()
    for (const [{ email, password }, { id }] of [
      [ada, users.ada],
      [bob, users.bob],
    ] as const) {
      const browser = openBrowser()
      // A keyboard may encode the same letters in another way.
      await browser.signIn("credentials", { email, password: password.replace("\u2168", "IX") })
      expect((await browser.getSession())?.user?.id).toBe(id)
    }
    for (const fields of [
      { email: ada.email, password: bob.password },
      { email: "eve@example.com", password: ada.password },
      { email: ada.email, password: "" },
    ]) {
      const browser = openBrowser()
      const response = await browser.signIn("credentials", fields)
      expect(getRedirectError(response)).toBe("CredentialsSignin")
      expect(await browser.getSession()).toBeNull()
    }
  })

  test("an account of a provider leads to its user, also if the copy runs again", async () => {
    const { users, recipe, github, openBrowser } = await openMovedApp()
    await recipe.run("move.ts")
    const browser = openBrowser()
    await browser.signIn(github)
    expect((await browser.getSession())?.user?.id).toBe(users.ada.id)
    const countRows = (table: string) => recipe.query<object>(`select 1 from ${table}`)
    const tables = ["latchkey_user", "latchkey_account", "latchkey_session"]
    const counts = await Promise.all(tables.map(async (table) => (await countRows(table)).length))
    expect(counts).toEqual([2, 1, 3])
  })

  test("an address that nobody has verified is not copied", async () => {
    const { users, openBrowser } = await openMovedApp()
    const browser = openBrowser()
    browser.storeCookies(users.bob.cookies)
    const session = await browser.getSession()
    expect([session?.user?.id, session?.user?.email || null]).toEqual([users.bob.id, null])
  })
})
