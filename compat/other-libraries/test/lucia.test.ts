/** The guide for Lucia, on tables that Lucia itself uses. */
import { Auth } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { NodePostgresAdapter } from "@lucia-auth/adapter-postgresql"
import { BetterSqlite3Adapter } from "@lucia-auth/adapter-sqlite"
import { Lucia, Scrypt } from "lucia"
import { describe, expect, test } from "vitest"
import { installRecipe, type RecipeEngine } from "./support/recipe.ts"
import { openPostgres, openSqliteFile } from "./support/recipe-database.ts"

const password = "correct horse \u2168"
const id = "h2k4pgmn5wqu3vzr" // as `generateIdFromEntropySize(10)` makes them

/** The tables in Lucia's guides. */
const createTables = (timestamp: string) => `
  create table "user" (
    id text not null primary key, username text not null unique, password_hash text
  );
  create table oauth_account (
    provider_id text not null, provider_user_id text not null,
    user_id text not null references "user" (id), primary key (provider_id, provider_user_id)
  );
  create table session (
    id text not null primary key, expires_at ${timestamp} not null,
    user_id text not null references "user" (id)
  );
`

async function openLuciaTables(engine: RecipeEngine) {
  const names = { user: "user", session: "session" }
  if (engine === "SQLite") {
    const database = openSqliteFile()
    database.exec(createTables("integer"))
    const adapter = new BetterSqlite3Adapter(
      database as unknown as ConstructorParameters<typeof BetterSqlite3Adapter>[0],
      names,
    )
    return { adapter, execute: async (sql: string) => database.exec(sql) }
  }
  const pool = await openPostgres()
  await pool.query(createTables("timestamptz"))
  const adapter = new NodePostgresAdapter(pool, names)
  return { adapter, execute: (sql: string) => pool.query(sql) }
}

async function fillLucia(engine: RecipeEngine, secure: boolean) {
  const { adapter, execute } = await openLuciaTables(engine)
  const hash = await new Scrypt().hash(password)
  await execute(`insert into "user" values ('${id}', 'ada', '${hash}'), ('other', 'bob', null)`)
  await execute(`insert into oauth_account values ('github', '583231', '${id}')`)
  const lucia = new Lucia(adapter, { sessionCookie: { attributes: { secure } } })
  const session = await lucia.createSession(id, {})
  return lucia.createSessionCookie(session.id).serialize()
}

const engines: readonly RecipeEngine[] = ["SQLite", "PostgreSQL"]
const origins = ["https://app.example", "http://app.example"]

describe.each(engines)("on %s", (engine) => {
  async function openMovedApp(origin = "https://app.example") {
    const cookie = await fillLucia(engine, origin.startsWith("https:"))
    const recipe = await installRecipe("migrating-from-lucia", engine)
    await recipe.run("move.ts")
    const github = await createScriptedProvider({ id: "github" })
    github.setUser({ sub: "583231", name: "Ada at GitHub", email: "ada@example.com" })
    const errors: unknown[] = []
    const config = {
      ...recipe.config,
      providers: [github.asOAuth(), ...recipe.config.providers.slice(1)],
      secret: "the secret of Latchkey, of 32 characters and more",
      trustHost: true,
      logger: { error: (...line: unknown[]) => void errors.push(line), warn: () => undefined },
    }
    const openBrowser = () => createTestBrowser((request) => Auth(request, config), { origin })
    return { cookie, recipe, github, config, errors, openBrowser }
  }

  test.each(origins)("users stay signed in at %s", async (origin) => {
    const { cookie, openBrowser, errors } = await openMovedApp(origin)
    const browser = openBrowser()
    browser.storeCookies([cookie])
    expect(await browser.getSession()).toMatchObject({ user: { id, name: "ada" } })
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    expect([errors, browser.cookies.rejected]).toEqual([[], []])
  })

  test("`useHostPrefix` renames the cookie without signing anybody out", async () => {
    const { cookie, config, openBrowser } = await openMovedApp()
    Object.assign(config, { useHostPrefix: "migrate" })
    const browser = openBrowser()
    browser.storeCookies([cookie])
    expect(await browser.getSession()).toMatchObject({ user: { id } })
    const names = browser.cookies.names.filter((name) => name.endsWith("session"))
    expect(names).toEqual(["__Host-auth_session"])
  })

  test("passwords are accepted, and wrong ones refused", async () => {
    const { openBrowser } = await openMovedApp()
    const browser = openBrowser()
    await browser.signIn("credentials", { username: "ada", password })
    expect((await browser.getSession())?.user?.id).toBe(id)
    for (const username of ["ada", "bob", "eve"]) {
      const other = openBrowser()
      const response = await other.signIn("credentials", { username, password: "wrong" })
      expect(getRedirectError(response)).toBe("CredentialsSignin")
    }
  })

  test("an account of a provider leads to its user, also if the copy runs again", async () => {
    const { recipe, github, openBrowser } = await openMovedApp()
    await recipe.run("move.ts")
    const browser = openBrowser()
    await browser.signIn(github)
    expect((await browser.getSession())?.user?.id).toBe(id)
    const tables = ["latchkey_user", "latchkey_account", "latchkey_session"]
    const counts = await Promise.all(
      tables.map(async (table) => (await recipe.query<object>(`select 1 from ${table}`)).length),
    )
    expect(counts).toEqual([2, 1, 2])
  })
})
