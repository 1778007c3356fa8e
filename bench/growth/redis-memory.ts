/** Measures the memory that Redis needs for users and sessions. */
import { RedisAdapter, RedisSessions } from "@latchkey/redis"
import { createClient } from "redis"
import { RedisServer } from "../redis-server.ts"
import { countUsers, sessionTokenOf, subjectOf, userIdOf, userIndexOf } from "./rows.ts"

type Client = ReturnType<typeof createClient>
type SessionCreator = Pick<ReturnType<typeof RedisAdapter>, "createSession">

/** Bytes per entry, for a number of entries. */
export interface RedisMemoryUsage {
  readonly sessions: number
  /** A user with an account, in `RedisAdapter`. */
  readonly user: number
  /** A session in `RedisAdapter`. */
  readonly session: number
  /** A session in `RedisSessions`. */
  readonly sessionInRedisSessions: number
}

/** The number of concurrent calls. */
const concurrentCalls = 200

const sessionLifetime = 30 * 86_400_000

/** Fills our own server with each adapter, and reads its memory usage. */
export async function measureRedis(sessions: number): Promise<RedisMemoryUsage> {
  await using server = await RedisServer.start()
  const client: Client = createClient({ url: server.url })
  await client.connect()
  try {
    const users = countUsers(sessions)
    const adapter = RedisAdapter(client)
    const user = await measureBytesEach(client, users, (n) => addUser(adapter, n))
    const session = await measureBytesEach(client, sessions, (n) => addSession(adapter, n, users))
    await client.flushAll()
    const sessionsAdapter = RedisSessions(client, { users: adapter })
    const sessionApart = await measureBytesEach(client, sessions, (n) =>
      addSession(sessionsAdapter, n, users),
    )
    return { sessions, user, session, sessionInRedisSessions: sessionApart }
  } finally {
    client.destroy()
  }
}

/** Returns the additional memory for each entry. */
async function measureBytesEach(
  client: Client,
  count: number,
  add: (n: number) => Promise<unknown>,
): Promise<number> {
  const before = await readUsedMemory(client)
  for (let first = 0; first < count; first += concurrentCalls) {
    const numbers = Array.from(
      { length: Math.min(concurrentCalls, count - first) },
      (_, n) => first + n,
    )
    await Promise.all(numbers.map(add))
  }
  return Math.round(((await readUsedMemory(client)) - before) / count)
}

async function readUsedMemory(client: Client): Promise<number> {
  const info = await client.info("memory")
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1])
}

async function addUser(adapter: ReturnType<typeof RedisAdapter>, n: number): Promise<void> {
  const user = {
    id: userIdOf(n),
    name: `Person ${n}`,
    email: `person.${n}@example.test`,
    emailVerified: null,
    image: `https://pictures.example.test/${sessionTokenOf(n).slice(32)}.png`,
  }
  await adapter.createUserWithAccount(user, {
    userId: user.id,
    type: "oauth",
    provider: "example",
    providerAccountId: subjectOf(n),
    access_token: sessionTokenOf(n),
    expires_at: 2_000_000_000,
    scope: "openid email profile",
    token_type: "bearer",
  })
}

async function addSession(adapter: SessionCreator, n: number, users: number): Promise<void> {
  await adapter.createSession({
    sessionToken: sessionTokenOf(n),
    userId: userIdOf(userIndexOf(n, users)),
    expires: new Date(Date.now() + sessionLifetime),
  })
}
