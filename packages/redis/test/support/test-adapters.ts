/** Adapters with keys of their own, which are removed after the test. */
import { RedisAdapter, type RedisAdapterOptions, RedisSessions } from "@latchkey/redis"
import { onTestFinished } from "vitest"
import { createCountingClient } from "./counting-client.ts"
import { drivers } from "./drivers.ts"
import { createRowReader, type RedisRowReader } from "./row-reader.ts"
import { randomPrefix, redisUrl, removeKeys } from "./shared-redis.ts"

const [nodeRedis] = drivers

/** An adapter on the shared Redis. */
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
    /** How many commands were sent meanwhile. */
    commands: watched.commands,
    /** What is left: the keys of this test. */
    keys: () => rows.keys(prefix),
  }
}

/** Sessions beside another adapter, on the shared Redis. */
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
    users,
    rows,
    sessions: RedisSessions(watched.client, { users, prefix, ...options }),
    commands: watched.commands,
    /** From now on, so many commands pass; then one is done and its answer lost, and all others are refused. */
    breakAfter: watched.breakAfter,
    mend: watched.mend,
    keys: () => rows.keys(`${prefix}:`),
  }
}
