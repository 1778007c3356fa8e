/**
 * Rows like those of an application: random keys with the library's lengths, three sessions per user. The keys of a row
 * are derived from its number, so that nothing has to be read to query it.
 */
import { createHash } from "node:crypto"
import type { Client } from "pg"

/** Sessions per user. */
const sessionsPerUser = 3

/** Returns the number of users for a number of sessions. */
export function countUsers(sessions: number): number {
  return Math.floor(sessions / sessionsPerUser)
}

/** Returns the number of the user of a session. */
export function userIndexOf(session: number, users: number): number {
  return session % users
}

/** Returns the expiry of a session: one to 30 days from now. */
const expiresSql = "now() + (1 + random() * 29) * interval '1 day'"

/** The keys of rows, in SQL and in TypeScript. */
const uuidSql = (text: string) => `md5(${text})::uuid::text`
const tokenSql = (text: string) => `encode(sha256((${text})::bytea), 'hex')`

/** The token of a session: 64 hexadecimal digits. */
export function sessionTokenOf(session: number): string {
  return createHash("sha256").update(`session ${session}`).digest("hex")
}

/** The id of a user: a UUID. */
export function userIdOf(user: number): string {
  const digest = createHash("md5").update(`user ${user}`).digest("hex")
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** The provider account id of a user. */
export function subjectOf(user: number): string {
  return String(100_000_000 + user)
}

/** Stores a number of sessions and their users. Every session lasts at least a day. */
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

/** Stores sessions that expired two days ago, for existing users. */
export async function insertExpired(client: Client, count: number, users: number): Promise<void> {
  await client.query(
    `insert into "Session" (id, "sessionToken", "userId", expires)
     select gen_random_uuid()::text, ${tokenSql("gen_random_uuid()::text")},
       ${uuidSql(`'user ' || (n * 7919::bigint) % ${users}`)}, now() - interval '2 days' - random() * interval '1 hour'
     from generate_series(0, ${count - 1}) n`,
  )
}
