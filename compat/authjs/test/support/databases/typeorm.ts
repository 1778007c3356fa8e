import { entities } from "@auth/typeorm-adapter"
import { DataSource, type DataSourceOptions } from "typeorm"
import type { AdapterSetup, OpenDatabase } from "../adapter-setup.ts"
import { createMariadbDatabase, hasMariadb } from "./mariadb.ts"
import { parseExpiresAt } from "./pg.ts"
import { createPostgresTables, postgresServers } from "./postgres.ts"
import { createSqlRows, parseDates, type RunQuery } from "./sql-rows.ts"

const tableNames = {
  user: "users",
  account: "accounts",
  session: "sessions",
  verificationToken: "verification_tokens",
}

const accountNotUnique = "nothing in its tables makes an account unique"
const usedTwice = "a link that is opened several times at the same moment signs in each time"

const shared = {
  adapter: "@auth/typeorm-adapter",
  knownFailuresOnly: true,
  knownFailures: {
    "of two users who link the same account concurrently, one succeeds and the other is rejected":
      accountNotUnique,
    "of 64 concurrent uses of a verification token, one succeeds": usedTwice,
  },
} as const

// PGlite lacks the extension that creates the ids.
const servers = postgresServers.filter(({ name }) => name === "PostgreSQL")

const postgresSetups: readonly AdapterSetup[] = servers.map((postgres) => ({
  ...shared,
  database: postgres.name,
  async openDatabase() {
    const { url, runQuery, close } = await createPostgresTables(postgres)
    const options = { type: "postgres", url } as const
    await createTables(options)
    return connect(options, runQuery, (index) => `$${index}`, close)
  },
}))

const mariadbSetup: AdapterSetup = {
  ...shared,
  database: "MariaDB (columns for tokens as `text`)",
  async openDatabase() {
    const { url, runQuery, close } = await createMariadbDatabase()
    const options = { type: "mariadb", url } as const
    await createTables(options)
    await runQuery("alter table accounts modify id_token text, modify access_token text")
    return connect(options, runQuery, () => "?", close)
  },
}

export const typeormSetups: readonly AdapterSetup[] = [
  ...postgresSetups,
  ...(hasMariadb ? [mariadbSetup] : []),
]

async function createTables(options: DataSourceOptions): Promise<void> {
  const dataSource = new DataSource({ ...options, entities: Object.values(entities) })
  await dataSource.initialize()
  await dataSource.synchronize()
  await dataSource.destroy()
}

async function connect(
  options: DataSourceOptions,
  runQuery: RunQuery,
  placeholder: (index: number) => string,
  close: () => Promise<void>,
): Promise<OpenDatabase> {
  const { TypeORMAdapter } = await importAgain()
  const adapter = TypeORMAdapter({
    ...options,
    entities: Object.values(entities),
    synchronize: false,
  })
  const normalizeRow = (row: object) =>
    parseExpiresAt(parseDates(row, (value) => new Date(String(value))))
  return {
    adapter,
    ...createSqlRows(runQuery, tableNames, placeholder, normalizeRow),
    async [Symbol.asyncDispose]() {
      if ("__disconnect" in adapter) await (adapter.__disconnect as () => Promise<void>)()
      await close()
    },
  }
}

let imports = 0

/** The module remembers its first connection for all adapters, so each database has its own copy of the module. */
function importAgain(): Promise<typeof import("@auth/typeorm-adapter")> {
  return import(`${import.meta.resolve("@auth/typeorm-adapter")}?${imports++}`)
}
