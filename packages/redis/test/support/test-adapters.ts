/** Creates adapters with their own keys, which are deleted after the test. */
import { RedisAdapter, type RedisAdapterOptions, RedisSessions } from "@latchkey/redis"
import { onTestFinished } from "vitest"
import { createCountingClient } from "./counting-client.ts"
import { drivers } from "./drivers.ts"
import { createRowReader, type RedisRowReader } from "./row-reader.ts"
import { randomPrefix, redisUrl, removeKeys } from "./shared-redis.ts"

const [nodeRedis] = drivers

/** Creates an adapter on the shared Redis. */
export async function createTestAdapter(options: RedisAdapterOptions = {}) {
  const prefix = randomPrefix()
  const { client, close } = await nodeRedis!.connect(redisUrl)
  const rows: RedisRowReader = await createRowReader(redisUrl, prefix)
  onTestFinished(async () => {
    close()
    rows.close()
    await removeKeys(prefix)
  })
  const watched = createCountingClient(client)
  return {
    prefix,
    rows,
    adapter: RedisAdapter(watched.client, { prefix, ...options }),
    /** Returns the number of commands that a function sends. */
    commands: watched.commands,
    /** Returns the remaining keys of this test. */
    keys: () => rows.keys(prefix),
  }
}

/** Creates `RedisSessions` with another adapter, on the shared Redis. */
export async function createTestSessions(options: { keepExpired?: number } = {}) {
  const prefix = randomPrefix()
  const { client, close } = await nodeRedis!.connect(redisUrl)
  const rows: RedisRowReader = await createRowReader(redisUrl, prefix, false)
  onTestFinished(async () => {
    close()
    rows.close()
    await removeKeys(prefix)
  })
  const users = RedisAdapter(client, { prefix: `${prefix}-users` })
  const watched = createCountingClient(client)
  return {
    prefix,
    users,
    rows,
    sessions: RedisSessions(watched.client, { users, prefix, ...options }),
    commands: watched.commands,
    /** Lets a number of commands pass. The next one is executed but its reply is lost, and all later ones fail. */
    breakAfter: watched.breakAfter,
    mend: watched.mend,
    keys: () => rows.keys(`${prefix}:`),
  }
}
