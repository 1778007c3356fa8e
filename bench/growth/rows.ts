/**
 * Rows that look like those of an application: random keys of the library's lengths, three sessions to a person. What a
 * row is called follows from its number, so that nothing has to be read to ask for one.
 */
import { createHash } from "node:crypto"
import type { Client } from "pg"

/** How many sessions a person has. */
const sessionsPerUser = 3

/** How many people have so many sessions. */
export function countUsers(sessions: number): number {
  return Math.floor(sessions / sessionsPerUser)
}

/** Whose session it is, of so many people. */
export function userIndexOf(session: number, users: number): number {
  return session % users
}

/** When a session ends that lasts a day at least, and 30 at most. */
const expiresSql = "now() + (1 + random() * 29) * interval '1 day'"

/** The names of rows, in SQL and here. */
const uuidSql = (text: string) => `md5(${text})::uuid::text`
const tokenSql = (text: string) => `encode(sha256((${text})::bytea), 'hex')`

/** The token of a session: 64 hexadecimal digits. */
export function sessionTokenOf(session: number): string {
  return createHash("sha256").update(`session ${session}`).digest("hex")
}

/** The id of a person: a UUID. */
export function userIdOf(user: number): string {
  const digest = createHash("md5").update(`user ${user}`).digest("hex")
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** What a provider calls a person. */
export function subjectOf(user: number): string {
  return String(100_000_000 + user)
}

/** Stores so many sessions, and the people to whom they belong. Every session has a day at least. */
export async function insertRows(client: Client, sessions: number): Promise<void> {
  const users = countUsers(sessions)
  await client.query(
    `insert into "User" (id, name, email, image)
     select ${uuidSql("'user ' || n")}, 'Person ' || n, 'person.' || n || '@example.test',
       'https://pictures.example.test/' || md5('picture ' || n) || '.png'
     from generate_series(0, ${users - 1}) n`,
  )
  await client.query(
    `insert into "Account" (id, "userId", type, provider, "providerAccountId", access_token, expires_at, scope, token_type)
     select ${uuidSql("'account ' || n")}, ${uuidSql("'user ' || n")}, 'oauth', 'example', (100000000 + n)::text,
       ${tokenSql("'access ' || n")}, 2000000000, 'openid email profile', 'bearer'
     from generate_series(0, ${users - 1}) n`,
  )
  await client.query(
    `insert into "Session" (id, "sessionToken", "userId", expires)
     select ${uuidSql("'id ' || n")}, ${tokenSql("'session ' || n")}, ${uuidSql(`'user ' || n % ${users}`)}, ${expiresSql}
     from generate_series(0, ${sessions - 1}) n`,
  )
}

/** Stores sessions that expired two days ago, of people of whom there are so many. */
export async function insertExpired(client: Client, count: number, users: number): Promise<void> {
  await client.query(
    `insert into "Session" (id, "sessionToken", "userId", expires)
     select gen_random_uuid()::text, ${tokenSql("gen_random_uuid()::text")},
       ${uuidSql(`'user ' || (n * 7919::bigint) % ${users}`)}, now() - interval '2 days' - random() * interval '1 hour'
     from generate_series(0, ${count - 1}) n`,
  )
}
