import { RedisAdapter } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { describe, expect, test } from "vitest"

describe("unconnected clients", () => {
  test("of redis reject immediately", async () => {
    const adapter = RedisAdapter(createClient())
    const checked = (async () => adapter.getUser("u"))()
    await expect(checked).rejects.toMatchObject({
      code: "unreachable",
      detail: "ClientClosedError",
    })
  })

  test("of ioredis reject after the timeout", async () => {
    const client = new Redis("redis://127.0.0.1:1", { lazyConnect: true, retryStrategy: () => 50 })
    client.on("error", () => undefined)
    const adapter = RedisAdapter(client, { timeout: 100 })
    const checked = (async () => adapter.getUser("u"))()
    await expect(checked).rejects.toMatchObject({ code: "timeout" })
    client.disconnect()
  })
})
