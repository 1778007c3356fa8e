import { RedisAdapter } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { describe, expect, test } from "vitest"

describe("clients that are not connected", () => {
  test("of redis, say so at once", async () => {
    const adapter = RedisAdapter(createClient())
    const checked = (async () => adapter.getUser("u"))()
    await expect(checked).rejects.toMatchObject({
      code: "unreachable",
      detail: "ClientClosedError",
    })
  })

  test("of ioredis, say so when the time is over", async () => {
    const client = new Redis("redis://127.0.0.1:1", { lazyConnect: true, retryStrategy: () => 50 })
    client.on("error", () => undefined)
    const adapter = RedisAdapter(client, { timeout: 100 })
    const checked = (async () => adapter.getUser("u"))()
    await expect(checked).rejects.toMatchObject({ code: "timeout" })
    client.disconnect()
  })
})
