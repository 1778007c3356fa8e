/** The databases of the tests. All are real: SQLite in `npm test`, servers in `npm test -- --project databases`. */
import { randomBytes } from "node:crypto"
import { defineEntities } from "@latchkey/mikro-orm"
import type { EntitySchema } from "@mikro-orm/core"
import { MikroORM as MariaDb } from "@mikro-orm/mariadb"
import { MikroORM as PostgreSql } from "@mikro-orm/postgresql"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"

/** A database with tables for some entities, which is dropped when it is disposed of. */
export interface TestDatabase extends AsyncDisposable {
  readonly orm: MikroORM
  /** The SQL that `orm` has sent so far. Tests may empty it. */
  readonly queries: string[]
  /** Opens it again with separate connections, through another port of the server if there is one. */
  reconnect(port?: number, setting?: string): Promise<MikroORM>
}

export interface DatabaseKind {
  readonly name: string
  /** The address of the server; undefined for a database without one. */
  readonly port?: number
  /** The reason why it cannot be tested; undefined if it can. */
  readonly unavailableReason?: string
  create(entities: object): Promise<TestDatabase>
}

const testsOtherDatabases = process.env["LATCHKEY_DATABASES"] === "others"
const toSchemas = (entities: object) => Object.values(entities) as EntitySchema[]
const randomName = () => `latchkey_mikro_orm_${randomBytes(6).toString("hex")}`

/** Makes MikroORM log its SQL. */
const createQueryLog = (queries: string[] = []) => ({
  debug: ["query" as const],
  colors: false,
  logger: (line: string) => void queries.push(line),
})

const sqlite: DatabaseKind = {
  name: "SQLite",
  async create(entities) {
    const queries: string[] = []
    const orm = await MikroORM.init({
      driver: SqliteDriver,
      driverOptions: new NodeSqliteDialect(":memory:"),
      dbName: ":memory:",
      entities: toSchemas(entities),
      ...createQueryLog(queries),
    })
    await orm.schema.create()
    return { orm, queries, reconnect: async () => orm, [Symbol.asyncDispose]: () => orm.close() }
  },
}

interface OpenOptions {
  dbName: string
  entities: EntitySchema[]
  url: URL
  queries?: string[]
  /** A statement that runs on each new connection, on MariaDB. */
  setting?: string
}

type Open = (options: OpenOptions) => Promise<MikroORM>

/** A server, with a separate database for each test file. */
async function createServerKind(
  name: string,
  variable: string,
  defaultUrl: string,
  open: Open,
): Promise<DatabaseKind> {
  const url = new URL(process.env[variable] ?? defaultUrl)
  const missing = await findUnavailableReason(open, url)
  if (missing !== undefined) console.warn(`No ${name} at ${url.host} (${variable}): ${missing}`)
  return {
    name,
    port: Number(url.port),
    ...(missing === undefined ? {} : { unavailableReason: missing }),
    async create(entities) {
      const dbName = randomName()
      const opened: MikroORM[] = []
      const queries: string[] = []
      const again = async (port = Number(url.port), setting?: string) => {
        const connectionUrl = new URL(url)
        connectionUrl.port = String(port)
        const common = { dbName, entities: toSchemas(entities), url: connectionUrl, queries }
        const orm = await open(setting === undefined ? common : { ...common, setting })
        opened.push(orm)
        return orm
      }
      const orm = await again()
      await orm.schema.ensureDatabase()
      await orm.schema.create()
      return {
        orm,
        queries,
        reconnect: again,
        async [Symbol.asyncDispose]() {
          for (const each of opened.slice(1)) await each.close()
          await orm.schema.dropDatabase(dbName)
          await orm.close()
        },
      }
    },
  }
}

/** In CI, a missing server is a failure. */
async function findUnavailableReason(open: Open, url: URL): Promise<string | undefined> {
  const orm = await open({
    dbName: url.pathname.slice(1),
    entities: toSchemas(defineEntities()),
    url,
  })
  try {
    await orm.connect()
    await orm.em.fork().getConnection().execute("select 1")
    return undefined
  } catch (error) {
    if (process.env["CI"] === "true") throw error
    return error instanceof Error ? error.message : String(error)
  } finally {
    await orm.close()
  }
}

const connectionOptions = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port),
  user: url.username,
  ...(url.password === "" ? {} : { password: url.password }),
})

interface Connection {
  executeQuery(query: { sql: string; parameters: unknown[] }): Promise<unknown>
}

const createConnectionSetup = (sql: string) => async (connection: unknown) =>
  void (await (connection as Connection).executeQuery({ sql, parameters: [] }))

const createPostgresql = () =>
  createServerKind(
    "PostgreSQL",
    "LATCHKEY_POSTGRES",
    "postgres://postgres@127.0.0.1:5432/test",
    ({ dbName, entities, url, queries }) =>
      PostgreSql.init({ ...connectionOptions(url), ...createQueryLog(queries), dbName, entities }),
  )

const createMariadb = () =>
  createServerKind(
    "MariaDB",
    "LATCHKEY_MARIADB",
    "mysql://root@127.0.0.1:3306/test",
    ({ dbName, entities, url, queries, setting }) =>
      MariaDb.init({
        ...connectionOptions(url),
        ...createQueryLog(queries),
        dbName,
        entities,
        ...(setting !== undefined && { onCreateConnection: createConnectionSetup(setting) }),
      }),
  )

export const databaseKinds: readonly DatabaseKind[] = testsOtherDatabases
  ? await Promise.all([createPostgresql(), createMariadb()])
  : [sqlite]
