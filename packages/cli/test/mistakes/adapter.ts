/** Mistakes with databases and adapters. */
import {
  type ConfigMistake,
  createConfigFiles,
  sqlImport,
  validEnvironment,
} from "../support/config-mistake.ts"

const createAdapterReturning = (row: string): string =>
  `{ ...SqlAdapter(database), getUserByEmail: async () => (${row}) }`

/** The state after migration 1. */
const downgradeToVersion1 = `database.exec('drop table "LatchkeyLease"; delete from "LatchkeyMigration" where version > 1')`

export const adapterMistakes: readonly ConfigMistake[] = [
  {
    mistake: "a database without tables",
    files: createConfigFiles("adapter: SqlAdapter(database)", sqlImport),
    env: validEnvironment,
    expected: ["error", "adapter-fails", /getUserByEmail.*no such table/, /migrate/],
  },
  {
    mistake: "a database of an older version",
    files: createConfigFiles(
      "adapter: SqlAdapter(database)",
      `${sqlImport}await migrate(database); ${downgradeToVersion1}`,
    ),
    env: validEnvironment,
    expected: ["warning", "adapter-outdated", /lacks 0002-leases/, /migrate/],
  },
  {
    mistake: "a database without a configured column",
    files: createConfigFiles(
      'adapter: SqlAdapter(database, { userFields: { role: "text" } })',
      `${sqlImport}await migrate(database, { userFields: {} })`,
    ),
    env: validEnvironment,
    expected: ["error", "adapter-fails", /role/, /migrate/],
  },
  {
    mistake: "a database of SQLite that gives the id of a deleted user to a new one",
    files: createConfigFiles(
      'adapter: SqlAdapter(database, { ids: "database" })',
      `${sqlImport}import { migrationSql } from "@latchkey/sql"
      database.exec(migrationSql("sqlite", { ids: "database" }).replaceAll(" autoincrement", ""))`,
    ),
    env: validEnvironment,
    expected: ["warning", "adapter-reused-ids", /User/, /autoincrement/],
  },
  {
    mistake: "a database that was closed",
    files: createConfigFiles(
      "adapter: SqlAdapter(database)",
      `${sqlImport}await migrate(database); database.close()`,
    ),
    env: validEnvironment,
    expected: ["error", "adapter-fails", /closed/, /as long as the application runs/],
  },
  {
    mistake: "tables of Auth.js, and providers that prove no address",
    files: createConfigFiles(
      `adapter: { getUserByEmail: async () => null, getUserByAccount: async () => null, createUser: async (user) => user, linkAccount: async () => {} },
      session: { strategy: "jwt" },
      providers: [facebook(client), reddit(client), github({ ...client, allowDangerousEmailAccountLinking: true }), custom, { ...custom, id: "sure", emailVerified: true }]`,
      `import facebook from "@latchkey/core/providers/facebook"
      import github from "@latchkey/core/providers/github"
      import reddit from "@latchkey/core/providers/reddit"
      const client = { clientId: "a", clientSecret: "b" }
      const custom = { id: "custom", name: "Custom", type: "oauth", ...client, authorization: "https://a.example/a", token: "https://a.example/t", userinfo: "https://a.example/u" }`,
    ),
    env: validEnvironment,
    expected: ["warning", "users-without-address", /facebook, reddit, custom are/, /String\?/],
  },
  {
    mistake: "an adapter that finds a user for every address",
    files: createConfigFiles(
      `adapter: ${createAdapterReturning('{ id: "1", email: "a@example.com" }')}`,
      `${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["error", "adapter-strangers", /getUserByEmail/, /compare/],
  },
  {
    mistake: "users whose address nobody has proven, where addresses identify users",
    files: createConfigFiles(
      "adapter: SqlAdapter(database), providers: [github({ allowDangerousEmailAccountLinking: true })]",
      `${sqlImport}import github from "@latchkey/core/providers/github"
      await migrate(database)
      const users = SqlAdapter(database)
      for (const [name, emailVerified] of [["ann", null], ["bob", new Date()], ["cleo", null]])
        await users.createUser({ id: name, email: name + "@example.com", emailVerified })
      await users.createUser({ id: "dan", emailVerified: null });`,
    ),
    env: { ...validEnvironment, AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "a-secret-of-github-1" },
    expected: ["warning", "unproven-addresses", /2 users have an address/, /emailVerified/],
  },
  {
    mistake: "an adapter that returns undefined",
    files: createConfigFiles(
      `adapter: ${createAdapterReturning("undefined")}`,
      `${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["warning", "adapter-undefined", /getUserByEmail/, /null/],
  },
  {
    mistake: "a database server that is not running",
    files: createConfigFiles(
      "adapter: { ...SqlAdapter(database), getSessionAndUser: () => fetch('http://127.0.0.1:9') }",
      `${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["error", "adapter-fails", /getSessionAndUser/, /./],
  },
]
