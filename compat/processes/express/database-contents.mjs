/** `node database-contents.mjs`: prints the contents of the database of DATABASE_URL as JSON. */
import { createPool } from "mysql2/promise"
import pg from "pg"
import { createClient } from "redis"

const url = process.env.DATABASE_URL ?? ""
const takes = { postgres: fromPostgres, mysql: fromMysql, redis: fromRedis }
console.log(JSON.stringify(await takes[url.split(":", 1)[0]]()))

async function fromPostgres() {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const found = await tables(async (sql) => (await client.query(sql)).rows)
  await client.end()
  return found
}

async function fromMysql() {
  const pool = createPool({ uri: url })
  const found = await tables(async (sql) => (await pool.query(sql.replaceAll('"', "`")))[0])
  await pool.end()
  return found
}

async function tables(read) {
  return {
    users: await read('select "id", "email" from "User"'),
    accounts: await read('select "userId", "provider", "providerAccountId" from "Account"'),
    sessions: await read('select "sessionToken", "userId" from "Session"'),
  }
}

async function fromRedis() {
  const client = await createClient({ url }).connect()
  const records = async (name) => (await client.hVals(`{latchkey}:${name}`)).map(JSON.parse)
  const prefix = "{latchkey}:session:"
  const sessions = []
  for (const key of await client.keys(`${prefix}*`)) {
    const [, userId] = (await client.get(key)).split(" ")
    sessions.push({ sessionToken: key.slice(prefix.length), userId })
  }
  const found = { users: await records("users"), accounts: await records("accounts"), sessions }
  await client.close()
  return found
}
