import { RedisAdapter, RedisSessions } from "@latchkey/redis"
import {
  adapterConformance,
  type ConformanceContext,
  type InterruptibleConnection,
  type Interruption,
  interruptibleConnection,
} from "@latchkey/testing"
import { afterAll, beforeAll, describe, test, vi } from "vitest"
import { type Connected, drivers } from "./support/drivers.ts"
import { hasRedis, randomPrefix, redisUrl, removeKeys } from "./support/redis.ts"
import { type Rows, rowsOf } from "./support/rows.ts"

describe.skipIf(!hasRedis).each(drivers)("the shared suite, with $name", (driver) => {
  const prefix = randomPrefix()
  let way: InterruptibleConnection
  let first: Connected
  let second: Connected

  beforeAll(async () => {
    const url = new URL(redisUrl)
    way = await interruptibleConnection({ host: url.hostname, port: Number(url.port || 6379) })
    url.host = `127.0.0.1:${way.port}`
    first = await driver.connect(url.href)
    second = await driver.connect(redisUrl)
  })

  afterAll(async () => {
    first.close()
    second.close()
    await way[Symbol.asyncDispose]()
    await removeKeys(prefix)
  })

  /** Afterwards the client has a connection again: until then everything rejects at once. */
  const interrupt = (at: number): Interruption => {
    const interruption = way.interrupt(at)
    return {
      async end() {
        const broken = interruption.end()
        const adapter = RedisAdapter(first.client, { prefix })
        await vi.waitFor(async () => adapter.getUser("nobody"), { interval: 10 })
        return broken
      },
    }
  }

  describe("RedisAdapter", () => {
    let rows: Rows
    beforeAll(async () => {
      rows = await rowsOf(redisUrl, prefix)
    })
    afterAll(() => rows.close())

    const connect = (): ConformanceContext => ({
      adapter: RedisAdapter(first.client, { prefix }),
      second: RedisAdapter(second.client, { prefix }),
      db: rows,
      interrupt,
    })
    adapterConformance({ test, connect, webauthn: true })
  })

  describe("RedisSessions beside another adapter", () => {
    let rows: Rows
    let sessions: Rows
    beforeAll(async () => {
      rows = await rowsOf(redisUrl, prefix)
      sessions = await rowsOf(redisUrl, prefix, false)
    })
    afterAll(() => {
      rows.close()
      sessions.close()
    })

    const beside = ({ client }: Connected) => {
      const users = RedisAdapter(client, { prefix })
      return { ...users, ...RedisSessions(client, { users, prefix }) }
    }
    const connect = (): ConformanceContext => ({
      adapter: beside(first),
      second: beside(second),
      db: { ...rows, session: sessions.session, verificationToken: sessions.verificationToken },
      interrupt,
    })
    adapterConformance({ test, connect, webauthn: true, skip: notAtOnce })
  })
})

/** Sessions in several slots end one after the other. Who is interrupted tries again: see `apart.test.ts`. */
const notAtOnce = ["deleteSessions, interrupted anywhere, is done or not done, and can be repeated"]
