import { RedisAdapter, RedisSessions } from "@latchkey/redis"
import {
  type ConformanceContext,
  createInterruptibleConnection,
  type InterruptibleConnection,
  type Interruption,
  testAdapterConformance,
} from "@latchkey/testing"
import { afterAll, beforeAll, describe, test, vi } from "vitest"
import { type ConnectedClient, drivers } from "./support/drivers.ts"
import { createRowReader, type RedisRowReader } from "./support/row-reader.ts"
import { hasRedis, randomPrefix, redisUrl, removeKeys } from "./support/shared-redis.ts"

describe.skipIf(!hasRedis).each(drivers)("the conformance suite, with $name", (driver) => {
  const prefix = randomPrefix()
  let connection: InterruptibleConnection
  let first: ConnectedClient
  let second: ConnectedClient

  beforeAll(async () => {
    const url = new URL(redisUrl)
    connection = await createInterruptibleConnection({
      host: url.hostname,
      port: Number(url.port || 6379),
    })
    url.host = `127.0.0.1:${connection.port}`
    first = await driver.connect(url.href)
    second = await driver.connect(redisUrl)
  })

  afterAll(async () => {
    first.close()
    second.close()
    await connection[Symbol.asyncDispose]()
    await removeKeys(prefix)
  })

  /** Waits until the client has reconnected. Until then, all calls reject immediately. */
  const interrupt = (at: number): Interruption => {
    const interruption = connection.interrupt(at)
    return {
      async end() {
        const broken = interruption.end()
        const adapter = RedisAdapter(first.client, { prefix })
        await vi.waitFor(async () => adapter.getUser("nobody"), { timeout: 10_000, interval: 10 })
        return broken
      },
    }
  }

  describe("RedisAdapter", () => {
    let rows: RedisRowReader
    beforeAll(async () => {
      rows = await createRowReader(redisUrl, prefix)
    })
    afterAll(() => rows.close())

    const connect = (): ConformanceContext => ({
      adapter: RedisAdapter(first.client, { prefix }),
      second: RedisAdapter(second.client, { prefix }),
      db: rows,
      interrupt,
    })
    testAdapterConformance({ test, connect, webauthn: true })
  })

  describe("RedisSessions beside another adapter", () => {
    let rows: RedisRowReader
    let sessions: RedisRowReader
    beforeAll(async () => {
      rows = await createRowReader(redisUrl, prefix)
      sessions = await createRowReader(redisUrl, prefix, false)
    })
    afterAll(() => {
      rows.close()
      sessions.close()
    })

    const createSessionsAdapter = ({ client }: ConnectedClient) => {
      const users = RedisAdapter(client, { prefix })
      return { ...users, ...RedisSessions(client, { users, prefix }) }
    }
    const connect = (): ConformanceContext => ({
      adapter: createSessionsAdapter(first),
      second: createSessionsAdapter(second),
      db: { ...rows, session: sessions.session, verificationToken: sessions.verificationToken },
      interrupt,
    })
    testAdapterConformance({ test, connect, webauthn: true, skip: nonAtomicCases })
  })
})

/** Sessions in several slots are deleted one by one. For interruptions, see `redis-sessions.server.test.ts`. */
const nonAtomicCases = ["deleteSessions, interrupted, is done or not done, and can be repeated"]
