/** The same application with each library and store: Express, and one page that checks the session. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Adapter } from "@latchkey/core/adapters"
import github from "@latchkey/core/providers/github"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import { RedisAdapter } from "@latchkey/redis"
import { migrate, SqlAdapter } from "@latchkey/sql"
import connectPgSimple from "connect-pg-simple"
import { RedisStore } from "connect-redis"
import express from "express"
import session from "express-session"
import { Pool } from "pg"
import { createClient } from "redis"
import { createStoredSessionCookies, otherProviderOptions } from "../libraries/authjs-compatible.ts"
import { createPasswordAuthenticator } from "../libraries/passport.ts"
import { password, secret, testUser } from "../test-user.ts"
import { type LoadStores, type LoadSubjectId, pagePath } from "./subjects.ts"

export interface LoadApplication {
  readonly app: express.Express
  /** Creates what the store needs, and sessions of the user. Called once for each subject. */
  prepare(sessionCount: number): Promise<readonly string[]>
  close(): Promise<unknown>
}

/** Opens the application of a subject. */
export const openApplication: Readonly<
  Record<LoadSubjectId, (stores: LoadStores) => Promise<LoadApplication>>
> = {
  async latchkeyPostgres({ postgresUrl }) {
    const pool = openPool(postgresUrl)
    const prepareTables = () => migrate(pool)
    return createLatchkey(SqlAdapter(pool), prepareTables, () => pool.end())
  },
  async latchkeyRedis({ redisUrl }) {
    const client = await openRedis(redisUrl)
    return createLatchkey(
      RedisAdapter(client),
      async () => undefined,
      () => client.close(),
    )
  },
  passportPostgres: (stores) => openPassportOnPostgres(stores, false),
  passportPostgresRead: (stores) => openPassportOnPostgres(stores, true),
  passportRedis: (stores) => openPassportOnRedis(stores, false),
  passportRedisRead: (stores) => openPassportOnRedis(stores, true),
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString })
  // The database is dropped after the last measurement.
  pool.on("error", () => undefined)
  return pool
}

async function openRedis(url: string) {
  const client = createClient({ url })
  client.on("error", () => undefined) // the server ends after the last measurement
  await client.connect()
  return client
}

function createLatchkey(
  adapter: Adapter,
  prepareTables: () => Promise<unknown>,
  close: () => Promise<unknown>,
): LoadApplication {
  const config = { adapter, secret, trustHost: true, providers: [github(otherProviderOptions)] }
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  app.get(pagePath, async (req, res) => {
    res.json(await getSession(req, config))
  })
  return {
    app,
    close,
    async prepare(sessionCount) {
      await prepareTables()
      return createStoredSessionCookies(adapter, sessionCount)
    },
  }
}

/** Where the application keeps its users. */
interface People {
  save(): Promise<unknown>
  find(id: string): Promise<unknown>
}

/** @param disableTouch whether a session that is only read is not written, which is not the default */
async function openPassportOnPostgres(
  { postgresUrl }: LoadStores,
  disableTouch: boolean,
): Promise<LoadApplication> {
  const pool = openPool(postgresUrl)
  const Store = connectPgSimple(session)
  const { id, name, email, image } = testUser
  const people: People = {
    async save() {
      await pool.query(
        "create table if not exists people (id text primary key, name text, email text, image text)",
      )
      const insert = "insert into people values ($1, $2, $3, $4) on conflict do nothing"
      await pool.query(insert, [id, name, email, image])
    },
    async find(userId) {
      const select = "select id, name, email, image from people where id = $1"
      return (await pool.query(select, [userId])).rows[0]
    },
  }
  const store = new Store({ pool, createTableIfMissing: true, disableTouch })
  return createPassport(store, people, () => pool.end())
}

async function openPassportOnRedis(
  { redisUrl }: LoadStores,
  disableTouch: boolean,
): Promise<LoadApplication> {
  const client = await openRedis(redisUrl)
  const people: People = {
    save: () => client.set(`person:${testUser.id}`, JSON.stringify(testUser)),
    find: async (userId) => JSON.parse((await client.get(`person:${userId}`)) ?? "null"),
  }
  return createPassport(new RedisStore({ client, disableTouch }), people, () => client.close())
}

function createPassport(
  store: session.Store,
  people: People,
  close: () => Promise<unknown>,
): LoadApplication {
  const authenticator = createPasswordAuthenticator((id, done) => {
    people.find(id).then((user) => done(null, user ?? false), done)
  })
  const app = express()
  const cookie = { maxAge: 2_592_000_000 }
  app.use(session({ secret, store, cookie, resave: false, saveUninitialized: false }))
  app.use(authenticator.session())
  app.post("/login", express.urlencoded(), authenticator.authenticate("local"), (_, res) => {
    res.end()
  })
  app.get(pagePath, (req, res) => {
    res.json(req.user ?? null)
  })
  return {
    app,
    close,
    async prepare(sessionCount) {
      await people.save()
      return signInEach(app, sessionCount)
    },
  }
}

/** Signs the user in as often as there are to be sessions, and returns their cookies. */
async function signInEach(app: express.Express, count: number): Promise<readonly string[]> {
  const server = createServer(app).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on a port
  const cookies: string[] = []
  while (cookies.length < count) {
    const body = new URLSearchParams({ email: testUser.email, password })
    const response = await fetch(`http://127.0.0.1:${port}/login`, { method: "POST", body })
    const [cookie = ""] = response.headers.getSetCookie()[0]?.split(";", 1) ?? []
    if (response.status !== 200 || cookie === "")
      throw new TypeError(`The sign-in was answered with status ${response.status}`)
    cookies.push(cookie)
  }
  server.close()
  server.closeAllConnections()
  return cookies
}
