import { runInNewContext } from "node:vm"
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

test("errors and bytes of a client in another realm are read like others", async () => {
  const client = (script: string) => {
    const evaluate = () => runInNewContext(script)
    return RedisAdapter({ evalSha: evaluate, eval: evaluate })
  }
  const read = (script: string) =>
    (async () => client(script).getUser("u"))().catch((error) => error)
  const fail = (text: string) => `(async () => { throw new ${text} })()`
  const denied = "NOPERM this user has no permissions"
  expect(await read(fail(`Error(${JSON.stringify(denied)})`))).toMatchObject({ code: "refused" })
  expect(await read(fail('TypeError("x is undefined")'))).toMatchObject({ code: "failed" })
  expect(await read("new Uint8Array()")).not.toMatchObject({ code: "failed" })
})
