import { Server } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, test } from "vitest"
import { runMigrateCommand } from "../src/database/migrate.ts"
import { runSweepCommand } from "../src/database/sweep.ts"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

// A process that has imported a configuration starts no server any more. This one runs other test files, which do.
const { listen } = Server.prototype
afterAll(() => {
  Server.prototype.listen = listen
})

/** Creates a folder with a configuration whose adapter uses an SQLite file. */
function createConfiguredFolder(options = "{}"): string {
  return createFolder({
    "auth.mjs": `
      import { SqlAdapter } from "@latchkey/sql"
      import { openSqlite } from "@latchkey/sql/sqlite"
      export const authConfig = { providers: [], adapter: SqlAdapter(openSqlite("app.db"), ${options}) }
    `,
  })
}

function listTables(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, "app.db"))
  const rows = database.prepare("select name from sqlite_schema where type = 'table'").all()
  database.close()
  return rows.map(({ name }) => name)
}

describe("latchkey migrate", () => {
  test("creates the tables, and changes nothing the second time", async () => {
    const folder = createConfiguredFolder('{ userFields: { role: "text" } }')
    expect(await runLatchkey(["migrate"], folder)).toEqual({
      status: 0,
      out: "From version 0 to 3:\n  0001-entities applied\n  0002-leases applied\n  0003-attempts applied\n  column role added\n",
      err: "",
    })
    expect(listTables(folder)).toContain("Session")
    const { out } = await runLatchkey(["migrate", "auth.mjs"], folder)
    expect(out).toBe("The database is up to date (version 3).\n")
  })

  test("--dry-run prints the plan and changes nothing", async () => {
    const folder = createConfiguredFolder()
    const { status, out } = await runLatchkey(["migrate", "--dry-run"], folder)
    expect(status).toBe(0)
    expect(out).toContain("--   0001-entities would be applied")
    expect(out).toContain('create table "User"')
    expect(listTables(folder)).toEqual([])
  })

  test("--sql prints statements that create the same tables", async () => {
    const folder = createConfiguredFolder('{ names: { User: "auth_user" } }')
    const { out } = await runLatchkey(["migrate", "--sql"], folder)
    expect(listTables(folder)).toEqual([])
    const database = new DatabaseSync(join(folder, "app.db"))
    database.exec(out)
    database.close()
    expect(listTables(folder)).toContain("auth_user")
    const again = await runLatchkey(["migrate"], folder)
    expect(again.out).toContain("up to date")
  })

  test("prints the error of the database", async () => {
    const folder = createConfiguredFolder()
    const database = new DatabaseSync(join(folder, "app.db"))
    database.exec('create table "User" (login text)')
    database.close()
    const { status, err } = await runLatchkey(["migrate"], folder)
    expect(status).toBe(1)
    expect(err).toContain("name-taken")
  })

  test.each([
    ["", "No configuration found"],
    ["export const authConfig = { providers: [] }", "has no adapter"],
    ["export const authConfig = { providers: [], adapter: {} }", "no migrations for this command"],
  ])("refuses %j", async (content, reason) => {
    const folder = createFolder(content === "" ? {} : { "auth.mjs": content })
    const { status, err } = await runLatchkey(["migrate"], folder)
    expect(status).toBe(1)
    expect(err).toContain(reason)
  })
})

describe("latchkey sweep", () => {
  test("removes all expired rows in batches", async () => {
    const folder = createConfiguredFolder()
    await runLatchkey(["migrate"], folder)
    const database = new DatabaseSync(join(folder, "app.db"))
    database.exec(`
      insert into "User" (id) values ('u');
      insert into "Session" (id, "sessionToken", "userId", expires)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500) select i, i, 'u', i from n;
      insert into "Session" (id, "sessionToken", "userId", expires)
        values ('live', 'live', 'u', ${Date.now() + 1000}), ('late', 'late', 'u', ${Date.now() - 1000});
      insert into "VerificationToken" (identifier, token, expires) values ('a', 'b', 5);
    `)
    expect(await runLatchkey(["sweep"], folder)).toMatchObject({
      status: 0,
      out: "Removed 2501 expired rows.\n",
    })
    const remaining = database.prepare('select id from "Session" order by id').all()
    expect(remaining.map(({ id }) => id)).toEqual(["late", "live"])
    database.close()
    expect((await runLatchkey(["sweep"], folder)).out).toBe("Removed 0 expired rows.\n")
  })

  test("removes nothing from a database that lacks a table", async () => {
    const folder = createConfiguredFolder()
    await runLatchkey(["migrate"], folder)
    const database = new DatabaseSync(join(folder, "app.db"))
    database.exec(`
      drop table "LatchkeyAttempt";
      delete from "LatchkeyMigration" where version > 2;
      insert into "VerificationToken" (identifier, token, expires) values ('a', 'b', 5);
    `)
    const { status, err } = await runLatchkey(["sweep"], folder)
    expect(status).toBe(1)
    expect(err).toContain("The database lacks 0003-attempts. Nothing was removed")
    expect(database.prepare('select token from "VerificationToken"').all()).toHaveLength(1)
    database.close()
    await runLatchkey(["migrate"], folder)
    expect((await runLatchkey(["sweep"], folder)).out).toBe("Removed 1 expired row.\n")
  })

  test("refuses an adapter without deleteExpired", async () => {
    const content = "export const authConfig = { providers: [], adapter: {} }"
    const { status, err } = await runLatchkey(["sweep"], createFolder({ "auth.mjs": content }))
    expect(status).toBe(1)
    expect(err).toContain("has no method deleteExpired")
  })
})

test("long operations report their steps", async () => {
  const folder = createFolder({
    "auth.mjs": `
      const batches = [1000, 500, 0]
      export const authConfig = {
        providers: [],
        adapter: {
          deleteExpired: async () => batches.shift(),
          [Symbol.for("latchkey.maintenance")]: {
            sql: () => "",
            migrate: async ({ onStep }) => {
              onStep?.("0002-leases")
              return { from: 1, to: 2, applied: [], addedFields: [], statements: [] }
            },
          },
        },
      }`,
  })
  const steps: string[] = []
  const terminal = {
    out: () => undefined,
    err: () => undefined,
    progress: (step: string) => void steps.push(step),
  }
  const location = { file: join(folder, "auth.mjs") }

  await runMigrateCommand(location, terminal)
  expect(steps).toEqual(["Applying 0002-leases"])

  await runSweepCommand(location, terminal)
  expect(steps.slice(1)).toEqual(["Removed 1,000 expired rows", "Removed 1,500 expired rows"])
})
