/** The guide for Passport, on the tables and sessions of an application with Passport and express-session. */
import { pbkdf2Sync, randomBytes } from "node:crypto"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import {
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type TestBrowser,
} from "@latchkey/testing"
import connectPgSimple from "connect-pg-simple"
import { RedisStore } from "connect-redis"
import cookieSession from "cookie-session"
import express, { type RequestHandler } from "express"
import expressSession, { type Store } from "express-session"
import { Passport } from "passport"
import { Strategy as LocalStrategy } from "passport-local"
import type { Pool } from "pg"
import { createClient } from "redis"
import { expect, onTestFinished, test } from "vitest"
import { hasRedis, redisUrl } from "../../../packages/redis/test/support/shared-redis.ts"
import { installRecipe, setEnvironment } from "./support/recipe.ts"
import { openPostgres } from "./support/recipe-database.ts"

const sessionSecret = "keyboard cat"
const password = "correct horse"

/** The tables of Passport's tutorials, on PostgreSQL. */
const createTables = `
  create table users (
    id serial primary key, username text unique, hashed_password bytea, salt bytea, name text
  );
  create table federated_credentials (
    id serial primary key, user_id integer not null, provider text not null, subject text not null,
    unique (provider, subject)
  );
  create table notes (id serial primary key, user_id integer not null references users (id));
`

const hash = (text: string, salt: Buffer) => pbkdf2Sync(text, salt, 310_000, 32, "sha256")

/** An application as in the tutorials. `serialize` returns what is stored of a user. */
function createPassportApp(
  pool: Pool,
  serialize: (user: { id: number }) => unknown,
  sessions: readonly RequestHandler[],
) {
  const passport = new Passport()
  const findUser = async (column: "id" | "username", value: unknown) =>
    (await pool.query(`select * from users where ${column} = $1`, [value])).rows[0]
  passport.use(
    new LocalStrategy((username, text, done) => {
      findUser("username", username).then((user) => {
        const isCorrect = user && hash(text, user.salt).equals(user.hashed_password)
        done(null, isCorrect ? user : false)
      }, done)
    }),
  )
  passport.serializeUser((user, done) => done(null, serialize(user as { id: number })))
  passport.deserializeUser((stored, done) => done(null, stored as Express.User))
  const app = express()
  app.use(express.urlencoded(), ...sessions, passport.authenticate("session"))
  app.post("/login/password", passport.authenticate("local", { successRedirect: "/" }))
  app.get("/", (req, res) => void res.json({ user: req.user ?? null }))
  return app
}

const storeSessions = (store: Store): RequestHandler[] => [
  expressSession({ secret: sessionSecret, resave: false, saveUninitialized: false, store }),
]

function openPostgresStore(pool: Pool): RequestHandler[] {
  const PostgresStore = connectPgSimple(expressSession)
  return storeSessions(
    new PostgresStore({ pool, createTableIfMissing: true, pruneSessionInterval: false }),
  )
}

async function openRedisStore(): Promise<RequestHandler[]> {
  const client = createClient({ url: process.env["REDIS_URL"] ?? "" })
  await client.connect()
  onTestFinished(async () => {
    await client.unlink(await client.keys("sess:*"))
    await client.close()
  })
  return storeSessions(new RedisStore({ client, ttl: 3600 }))
}

/** As people do who use Passport with cookie-session, which lacks two methods. */
function openCookieSessions(): RequestHandler[] {
  const addMethods: RequestHandler = ({ session }, _, next) => {
    const callNext = (done: () => void) => done()
    Object.defineProperties(session, {
      regenerate: { value: callNext },
      save: { value: callNext },
    })
    next()
  }
  return [cookieSession({ name: "session", keys: [sessionSecret] }) as RequestHandler, addMethods]
}

/** Starts a server whose application can be replaced. */
async function startServer(first: RequestListener) {
  let listener = first
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const replaceApp = (next: RequestListener) => {
    listener = next
  }
  return { url: `http://127.0.0.1:${port}`, replaceApp }
}

const serializers: [string, (user: { id: number; username?: string }) => unknown][] = [
  ["the id", ({ id }) => id],
  ["an object with the id", ({ id, username }) => ({ id, username })],
]

async function openDatabase(): Promise<Pool> {
  const pool = await openPostgres()
  await pool.query(createTables)
  const salt = randomBytes(16)
  const addUser =
    "insert into users (username, hashed_password, salt, name) values ($1, $2, $3, $4)"
  await pool.query(addUser, ["ada", hash(password, salt), salt, null])
  await pool.query(addUser, ["grace", null, null, "Grace"])
  setEnvironment({
    SESSION_SECRET: sessionSecret,
    AUTH_SECRET: "the secret of Latchkey, of 32 characters and more",
    AUTH_TRUST_HOST: "true",
    AUTH_GOOGLE_ID: "client",
    AUTH_GOOGLE_SECRET: "worth nothing",
  })
  return pool
}

const readUser = async (browser: TestBrowser) => (await (await browser.open("/")).json()).user

test.each(serializers)("users keep what they have, if %s is serialized", async (_, serialize) => {
  const pool = await openDatabase()
  const google = "https://accounts.google.com"
  const addAccount =
    "insert into federated_credentials (user_id, provider, subject) values (2, $1, $2)"
  await pool.query(addAccount, [google, "1122"])
  const { url, replaceApp } = await startServer(
    createPassportApp(pool, serialize, openPostgresStore(pool)),
  )
  const ada = createTestBrowser(url)
  await ada.post("/login/password", { username: "ada", password })
  expect(await (await ada.open("/")).json()).toMatchObject({
    user: serialize({ id: 1, username: "ada" }),
  })

  const recipe = await installRecipe("migrating-from-passport", "PostgreSQL")
  const provider = await createScriptedProvider({ id: "google" })
  provider.setUser({ sub: "1122", name: "Grace", email: "grace@example.com", email_verified: true })
  Object.assign(recipe.config, {
    providers: [provider.asOidc(), recipe.config.providers[1]],
    logger: { error: () => undefined },
  })
  await recipe.run("move.ts")
  await recipe.run("move.ts")
  replaceApp((await recipe.run("app.ts")).app)

  expect(await readUser(ada)).toEqual({ id: "1", name: "ada" })
  const other = createTestBrowser(url)
  await other.signIn("credentials", { username: "ada", password })
  expect(await readUser(other)).toMatchObject({ id: "1" })
  const grace = createTestBrowser(url)
  await grace.signIn(provider)
  expect(await readUser(grace)).toMatchObject({ id: "2" })
  for (const username of ["ada", "grace", "eve"]) {
    const response = await createTestBrowser(url).signIn("credentials", { username, password: "x" })
    expect(getRedirectError(response)).toBe("CredentialsSignin")
  }

  await ada.signOut()
  expect((await ada.open("/")).headers.get("location")).toBe("/auth/signin")
  provider.setUser({ sub: "3344", name: "Eve", email: "eve@example.com", email_verified: true })
  const eve = createTestBrowser(url)
  await eve.signIn(provider)
  const { id } = await readUser(eve)
  await pool.query("insert into notes (user_id) values ($1)", [id])
  const names = (await pool.query("select name from users order by id")).rows
  expect(names).toEqual([{ name: "ada" }, { name: "Grace" }, { name: "Eve" }])
})

test.skipIf(!hasRedis)("sessions in Redis stay, until they would have expired", async () => {
  const pool = await openDatabase()
  // A database of its own: the keys have the usual prefix.
  setEnvironment({ REDIS_URL: new URL("/14", redisUrl).href })
  const sessions = await openRedisStore()
  const { url, replaceApp } = await startServer(createPassportApp(pool, ({ id }) => id, sessions))
  const ada = createTestBrowser(url)
  await ada.post("/login/password", { username: "ada", password })
  const recipe = await installRecipe("migrating-from-passport", "PostgreSQL", {
    "sessions.ts": "sessions-redis.ts",
  })
  await recipe.run("move.ts")
  replaceApp((await recipe.run("app.ts")).app)
  const [{ expires }] = (await pool.query('select expires from "Session"')).rows
  expect(Math.round((expires - Date.now()) / 60_000)).toBe(60)
  expect(await readUser(ada)).toEqual({ id: "1", name: "ada" })
})

test("sessions of cookie-session continue, once", async () => {
  const pool = await openDatabase()
  const former = createPassportApp(pool, ({ id }) => id, openCookieSessions())
  const { url, replaceApp } = await startServer(former)
  const ada = createTestBrowser(url)
  await ada.post("/login/password", { username: "ada", password })
  expect((await (await ada.open("/")).json()).user).toBe(1)
  const recipe = await installRecipe("migrating-from-passport", "PostgreSQL", {
    "sessions.ts": "no-sessions.ts",
  })
  await recipe.run("move.ts")
  const { continueSessions } = (await recipe.run("cookie-sessions.ts")) as unknown as {
    continueSessions: RequestHandler[]
  }
  const app = express()
  app.use(continueSessions, (await recipe.run("app.ts")).app)
  replaceApp(app)
  expect(await readUser(ada)).toEqual({ id: "1", name: "ada" })
  expect(await readUser(ada)).toEqual({ id: "1", name: "ada" })
  expect((await pool.query('select 1 from "Session"')).rows).toHaveLength(1)
  await ada.signOut()
  expect((await ada.open("/")).headers.get("location")).toBe("/auth/signin")
  const forged = createTestBrowser(url)
  const response = await forged.open("/", {
    headers: { cookie: `session=${btoa('{"passport":{"user":1}}')}; session.sig=AAAA` },
  })
  expect(response.headers.get("location")).toBe("/auth/signin")
})
