/** The databases that every behaviour is tested on: all are real. */
import { randomBytes } from "node:crypto"
import { defineEntities } from "@latchkey/mikro-orm"
import type { EntitySchema } from "@mikro-orm/core"
import { MikroORM as MariaDb } from "@mikro-orm/mariadb"
import { MikroORM as PostgreSql } from "@mikro-orm/postgresql"
import { MikroORM, NodeSqliteDialect, SqliteDriver } from "@mikro-orm/sql"

/** A database with tables for some entities, that is gone when it is disposed of. */
export interface Database extends AsyncDisposable {
  readonly orm: MikroORM
  /** What `orm` has asked the database, in SQL; emptied by whoever likes. */
  readonly queries: string[]
  /** Opens it once more, with connections of its own, by another port of the server if there is one. */
  again(port?: number, setting?: string): Promise<MikroORM>
}

export interface Kind {
  readonly name: string
  /** Where the server listens; undefined for a database without one. */
  readonly port?: number
  /** Why it cannot be tried; undefined when it can. */
  readonly missing?: string
  create(entities: object): Promise<Database>
}

const schemasOf = (entities: object) => Object.values(entities) as EntitySchema[]
const randomName = () => `latchkey_mikro_orm_${randomBytes(6).toString("hex")}`

/** Makes MikroORM say what it asks. */
const noting = (queries: string[] = []) => ({
  debug: ["query" as const],
  colors: false,
  logger: (line: string) => void queries.push(line),
})

const sqlite: Kind = {
  name: "SQLite",
  async create(entities) {
    const queries: string[] = []
    const orm = await MikroORM.init({
      driver: SqliteDriver,
      driverOptions: new NodeSqliteDialect(":memory:"),
      dbName: ":memory:",
      entities: schemasOf(entities),
      ...noting(queries),
    })
    await orm.schema.create()
    return { orm, queries, again: async () => orm, [Symbol.asyncDispose]: () => orm.close() }
  },
}

interface Opening {
  dbName: string
  entities: EntitySchema[]
  url: URL
  queries?: string[]
  /** A statement that is run on each new connection, on MariaDB. */
  setting?: string
}

type Open = (options: Opening) => Promise<MikroORM>

/** A server, which gets a database of its own for each test file. */
async function server(name: string, variable: string, usual: string, open: Open): Promise<Kind> {
  const url = new URL(process.env[variable] ?? usual)
  const missing = await reason(open, url)
  if (missing !== undefined) console.warn(`No ${name} at ${url.host} (${variable}): ${missing}`)
  return {
    name,
    port: Number(url.port),
    ...(missing === undefined ? {} : { missing }),
    async create(entities) {
      const dbName = randomName()
      const opened: MikroORM[] = []
      const queries: string[] = []
      const again = async (port = Number(url.port), setting?: string) => {
        const way = new URL(url)
        way.port = String(port)
        const common = { dbName, entities: schemasOf(entities), url: way, queries }
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
        again,
        async [Symbol.asyncDispose]() {
          for (const each of opened.slice(1)) await each.close()
          await orm.schema.dropDatabase(dbName)
          await orm.close()
        },
      }
    },
  }
}

/** Where nothing may be missing, as in CI, what is missing fails. */
async function reason(open: Open, url: URL): Promise<string | undefined> {
  const orm = await open({
    dbName: url.pathname.slice(1),
    entities: schemasOf(defineEntities()),
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

const credentials = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port),
  user: url.username,
  ...(url.password === "" ? {} : { password: url.password }),
})

interface Connection {
  executeQuery(query: { sql: string; parameters: unknown[] }): Promise<unknown>
}

const running = (sql: string) => async (connection: unknown) =>
  void (await (connection as Connection).executeQuery({ sql, parameters: [] }))

const postgresql = await server(
  "PostgreSQL",
  "LATCHKEY_POSTGRES",
  "postgres://postgres@127.0.0.1:5432/test",
  ({ dbName, entities, url, queries }) =>
    PostgreSql.init({ ...credentials(url), ...noting(queries), dbName, entities }),
)
const mariadb = await server(
  "MariaDB",
  "LATCHKEY_MARIADB",
  "mysql://root@127.0.0.1:3306/test",
  ({ dbName, entities, url, queries, setting }) =>
    MariaDb.init({
      ...credentials(url),
      ...noting(queries),
      dbName,
      entities,
      ...(setting !== undefined && { onCreateConnection: running(setting) }),
    }),
)

export const kinds: readonly Kind[] = [sqlite, postgresql, mariadb]
