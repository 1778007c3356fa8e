/** Mistakes in databases. */
import { config, type Seed, sql, wellSet } from "../support/seed.ts"

const always = (row: string): string =>
  `{ ...SqlAdapter(database), getUserByEmail: async () => (${row}) }`

/** As version 1 left it. */
const older = `database.exec('drop table "LatchkeyLease"; delete from "LatchkeyMigration" where version > 1')`

export const adapterSeeds: readonly Seed[] = [
  {
    mistake: "a database without tables",
    files: config("adapter: SqlAdapter(database)", sql),
    env: wellSet,
    finds: ["error", "adapter-fails", /getUserByEmail.*no such table/, /migrate/],
  },
  {
    mistake: "a database of an older version",
    files: config("adapter: SqlAdapter(database)", `${sql}await migrate(database); ${older}`),
    env: wellSet,
    finds: ["warning", "adapter-outdated", /lacks 0002-leases/, /migrate/],
  },
  {
    mistake: "a database without a column of ours",
    files: config(
      'adapter: SqlAdapter(database, { userFields: { role: "text" } })',
      `${sql}await migrate(database, { userFields: {} })`,
    ),
    env: wellSet,
    finds: ["error", "adapter-fails", /role/, /migrate/],
  },
  {
    mistake: "a database that was closed",
    files: config(
      "adapter: SqlAdapter(database)",
      `${sql}await migrate(database); database.close()`,
    ),
    env: wellSet,
    finds: ["error", "adapter-fails", /closed/, /as long as the application runs/],
  },
  {
    mistake: "an adapter that finds somebody for every address",
    files: config(
      `adapter: ${always('{ id: "1", email: "a@example.com" }')}`,
      `${sql}await migrate(database)`,
    ),
    env: wellSet,
    finds: ["error", "adapter-strangers", /getUserByEmail/, /compare/],
  },
  {
    mistake: "an adapter that answers undefined",
    files: config(`adapter: ${always("undefined")}`, `${sql}await migrate(database)`),
    env: wellSet,
    finds: ["warning", "adapter-undefined", /getUserByEmail/, /null/],
  },
  {
    mistake: "a database server that does not run",
    files: config(
      "adapter: { ...SqlAdapter(database), getSessionAndUser: () => fetch('http://127.0.0.1:9') }",
      `${sql}await migrate(database)`,
    ),
    env: wellSet,
    finds: ["error", "adapter-fails", /getSessionAndUser/, /./],
  },
]
