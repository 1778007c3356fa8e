/** How much memory Redis needs for people and their sessions. */
import { RedisAdapter, RedisSessions } from "@latchkey/redis"
import { createClient } from "redis"
import { RedisServer } from "./redis-server.ts"
import { subjectOf, tokenOf, userIdOf, userOf, usersFor } from "./rows.ts"

type Client = ReturnType<typeof createClient>
type Sessions = Pick<ReturnType<typeof RedisAdapter>, "createSession">

/** Bytes for one, of so many. */
export interface RedisMemory {
  readonly sessions: number
  /** A person with an account, in `RedisAdapter`. */
  readonly user: number
  /** A session in `RedisAdapter`. */
  readonly session: number
  /** A session in `RedisSessions`. */
  readonly sessionApart: number
}

/** How many calls are under way at once. */
const callers = 200

const lifetime = 30 * 86_400_000

/** Fills a server of our own, once with each adapter, and asks it how much it has used. */
export async function measureRedis(sessions: number): Promise<RedisMemory> {
  await using server = await RedisServer.start()
  const client: Client = createClient({ url: server.url })
  await client.connect()
  try {
    const users = usersFor(sessions)
    const whole = RedisAdapter(client)
    const user = await taken(client, users, (n) => addUser(whole, n))
    const session = await taken(client, sessions, (n) => addSession(whole, n, users))
    await client.flushAll()
    const apart = RedisSessions(client, { users: whole })
    const sessionApart = await taken(client, sessions, (n) => addSession(apart, n, users))
    return { sessions, user, session, sessionApart }
  } finally {
    client.destroy()
  }
}

/** How much more memory is used for each of so many things. */
async function taken(
  client: Client,
  count: number,
  add: (n: number) => Promise<unknown>,
): Promise<number> {
  const before = await used(client)
  for (let first = 0; first < count; first += callers) {
    const numbers = Array.from({ length: Math.min(callers, count - first) }, (_, n) => first + n)
    await Promise.all(numbers.map(add))
  }
  return Math.round(((await used(client)) - before) / count)
}

async function used(client: Client): Promise<number> {
  const facts = await client.info("memory")
  return Number(/^used_memory:(\d+)/m.exec(facts)?.[1])
}

async function addUser(adapter: ReturnType<typeof RedisAdapter>, n: number): Promise<void> {
  const user = {
    id: userIdOf(n),
    name: `Person ${n}`,
    email: `person.${n}@example.test`,
    emailVerified: null,
    image: `https://pictures.example.test/${tokenOf(n).slice(32)}.png`,
  }
  await adapter.createUserWithAccount(user, {
    userId: user.id,
    type: "oauth",
    provider: "example",
    providerAccountId: subjectOf(n),
    access_token: tokenOf(n),
    expires_at: 2_000_000_000,
    scope: "openid email profile",
    token_type: "bearer",
  })
}

async function addSession(adapter: Sessions, n: number, users: number): Promise<void> {
  await adapter.createSession({
    sessionToken: tokenOf(n),
    userId: userIdOf(userOf(n, users)),
    expires: new Date(Date.now() + lifetime),
  })
}
