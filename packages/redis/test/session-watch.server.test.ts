import type { SessionChange } from "@latchkey/core/adapters"
import { RedisAdapter, RedisSessions } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient, createClientPool } from "redis"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { type Driver, drivers } from "./support/drivers.ts"
import { hasRedisServer, type RedisServer, startServer } from "./support/servers.ts"
import { newChange } from "./support/test-records.ts"

const patience = { timeout: 10_000, interval: 20 }

/** Starts a server, and a client on it. */
async function open(connect: Driver["connect"]) {
  const server = await startServer()
  const { client, close } = await connect(server.url)
  onTestFinished(async () => {
    close()
    await server[Symbol.asyncDispose]()
  })
  return { server, client, close }
}

/** Watches the changes, and records the calls. */
async function watch(adapter: Pick<ReturnType<typeof RedisAdapter>, "watchSessionChanges">) {
  const changes: SessionChange[] = []
  const interruptions: unknown[] = []
  const end = await adapter.watchSessionChanges?.(
    (change) => changes.push(change),
    (...reasons) => interruptions.push(...(reasons.length === 0 ? ["over"] : reasons)),
  )
  if (!end) throw new Error("The adapter cannot watch.")
  const waitFor = (change: SessionChange) =>
    vi.waitFor(() => expect(changes).toContainEqual(change), patience)
  return { changes, interruptions, end, waitFor }
}

/** Waits until a number of connections of a server are subscribed. */
function waitForSubscribers(server: RedisServer, count: number): Promise<void> {
  return vi.waitFor(async () => {
    const list = String(await server.command("CLIENT", "LIST", "TYPE", "pubsub"))
    expect(list.split("\n").filter((line) => line !== "")).toHaveLength(count)
  }, patience)
}

describe.skipIf(!hasRedisServer).each(drivers)("watched changes, with $name", ({ connect }) => {
  test("arrive through a connection that exists only while they are watched", async () => {
    const { server, client } = await open(connect)
    const adapter = RedisAdapter(client)
    const sessions = RedisSessions(client, { users: adapter })
    await waitForSubscribers(server, 0)
    const [first, second] = [await watch(adapter), await watch(sessions)]
    await waitForSubscribers(server, 2)
    const [change, other] = [newChange({ details: '{"a":"é b"}' }), newChange()]
    await adapter.saveSessionChange(change)
    await sessions.saveSessionChange(other)
    await first.waitFor(change)
    await second.waitFor(other)
    await first.end()
    await first.end()
    await waitForSubscribers(server, 1)
    await adapter.saveSessionChange(newChange())
    await second.end()
    await waitForSubscribers(server, 0)
    expect([first.changes, second.changes]).toEqual([[change], [other]])
    expect([...first.interruptions, ...second.interruptions]).toEqual([])
  })

  test("arrive again after the connection was killed, which is reported", async () => {
    const { server, client } = await open(connect)
    const adapter = RedisAdapter(client)
    const { changes, interruptions, end, waitFor } = await watch(adapter)
    const missed = newChange()
    const later = newChange()
    for (const round of [1, 2]) {
      await server.command("CLIENT", "KILL", "TYPE", "pubsub")
      if (round === 1) await adapter.saveSessionChange(missed)
      await vi.waitFor(() => expect(interruptions).toHaveLength(2 * round), patience)
    }
    const reason = { name: "RedisError", code: "unreachable", operation: "watchSessionChanges" }
    expect(interruptions).toMatchObject([reason, "over", reason, "over"])
    await adapter.saveSessionChange(later)
    await waitFor(later)
    // The first one may have been stored after the connection was replaced.
    expect(changes.filter(({ key }) => key !== missed.key)).toEqual([later])
    expect(await adapter.listSessionChanges(missed.changedAt)).toContainEqual(missed)
    await end()
    await waitForSubscribers(server, 0)
  })

  test("arrive again after an outage, which is reported once", async () => {
    const { server, client } = await open(connect)
    const adapter = RedisAdapter(client, { timeout: 500 })
    const { interruptions, end, waitFor } = await watch(adapter)
    await server.kill()
    await vi.waitFor(() => expect(interruptions).toHaveLength(1), patience)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(interruptions).toMatchObject([{ name: "RedisError" }])
    await server.restart()
    await vi.waitFor(() => expect(interruptions).toHaveLength(2), patience)
    const change = newChange()
    await vi.waitFor(async () => adapter.saveSessionChange(change), patience)
    await waitFor(change)
    await end()
  })

  test("do not keep the application waiting, however many messages another user sends", async () => {
    const { server, client } = await open(connect)
    const adapter = RedisAdapter(client)
    const { changes, interruptions, end } = await watch(adapter)
    const send = `for number = 1, 20000 do redis.call("PUBLISH", "{latchkey}:changes:channel", number) end`
    await server.command("EVAL", send, "0")
    await vi.waitFor(() => expect(interruptions).not.toEqual([]), patience)
    const statistics = String(await server.command("INFO", "commandstats"))
    const [, reads = ""] = /cmdstat_evalsha:calls=(\d+)/.exec(statistics) ?? []
    expect(Number(reads)).toBeLessThan(10_000)
    // What was missed can be read.
    expect(new Set(interruptions)).toEqual(new Set(["over"]))
    const change = newChange()
    await vi.waitFor(async () => {
      await adapter.saveSessionChange(change)
      expect(changes).toContainEqual(change)
    }, patience)
    await end()
  })

  test("can be ended during an outage", async () => {
    const { server, client } = await open(connect)
    const { interruptions, end } = await watch(RedisAdapter(client, { timeout: 500 }))
    await server.kill()
    await vi.waitFor(() => expect(interruptions).toHaveLength(1), patience)
    await end()
    await server.restart()
    // Longer than the pause between two attempts.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await waitForSubscribers(server, 0)
    expect(interruptions).toHaveLength(1)
  })

  test("are not watched by connections that were given up while Redis hung", async () => {
    const { server, client } = await open(connect)
    const adapter = RedisAdapter(client, { timeout: 300 })
    await adapter.listSessionChanges(new Date())
    server.pause()
    const refused = watch(adapter)
    await expect(refused).rejects.toMatchObject({ code: "timeout" })
    server.resume()
    const { end } = await vi.waitFor(async () => watch(adapter), patience)
    await waitForSubscribers(server, 1)
    await end()
    await waitForSubscribers(server, 0)
    await vi.waitFor(async () => {
      const clients = String(await server.command("CLIENT", "LIST"))
        .trim()
        .split("\n")
      expect(clients).toHaveLength(2)
    }, patience)
  })

  test("are no longer watched when the application closes its client", async () => {
    const { server, client, close } = await open(connect)
    const { interruptions } = await watch(RedisAdapter(client))
    await waitForSubscribers(server, 1)
    close()
    await waitForSubscribers(server, 0)
    expect(interruptions).toEqual([])
  })

  test("are refused without the permission to subscribe, and nothing stays connected", async () => {
    const { server, client } = await open(async (url) => {
      const app = url.replace("//", "//app:pass@")
      await vi.waitFor(async () => createUser(url), patience)
      return connect(app)
    })
    const adapter = RedisAdapter(client)
    await expect(watch(adapter)).rejects.toMatchObject({
      code: "refused",
      operation: "watchSessionChanges",
    })
    await expect((async () => adapter.saveSessionChange(newChange()))()).rejects.toMatchObject({
      code: "refused",
    })
    expect(await adapter.listSessionChanges(new Date(0))).toEqual([])
    await vi.waitFor(async () => {
      const clients = String(await server.command("CLIENT", "LIST")).split("\n")
      expect(clients.filter((line) => line.includes("user=app"))).toHaveLength(1)
    }, patience)
  })
})

/** Creates a user who may use all keys and commands, but no channels. */
async function createUser(url: string): Promise<void> {
  const client = await createClient({ url }).connect()
  await client.sendCommand(["ACL", "SETUSER", "app", "on", ">pass", "~*", "+@all", "resetchannels"])
  client.destroy()
}

const otherClients: Readonly<Record<string, Driver["connect"]>> = {
  async "a pool of redis"(url) {
    const client = createClientPool({ url }, { maximum: 4 })
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  async "redis, in database 3 and with names of its own"(url) {
    const client = await createClient({ url, database: 3, keyPrefix: "own:" }).connect()
    return { client, close: () => client.destroy() }
  },
  async "ioredis, in database 3 and with names of its own"(url) {
    const client = new Redis(url, { db: 3, keyPrefix: "own:", stringNumbers: true, protocol: 2 })
    return { client, close: () => client.disconnect() }
  },
  async "ioredis, with pipelines"(url) {
    const client = new Redis(url, { enableAutoPipelining: true })
    return { client, close: () => client.disconnect() }
  },
}

describe.skipIf(!hasRedisServer).each(Object.entries(otherClients))("%s", (_, connect) => {
  test("watches its own changes, and none of another application's", async () => {
    const { server, client } = await open(connect)
    const stranger = await drivers[0]!.connect(`${server.url}/5`)
    onTestFinished(stranger.close)
    const adapter = RedisAdapter(client)
    const { changes, interruptions, end, waitFor } = await watch(adapter)
    await RedisAdapter(stranger.client).saveSessionChange(newChange())
    const change = newChange()
    await adapter.saveSessionChange(change)
    await waitFor(change)
    expect(changes).toEqual([change])
    expect(interruptions).toEqual([])
    await end()
    await waitForSubscribers(server, 0)
  })
})

test.skipIf(!hasRedisServer)("a closed pool opens no connection again", async () => {
  const { server, client, close } = await open(otherClients["a pool of redis"]!)
  const { interruptions } = await watch(RedisAdapter(client))
  await waitForSubscribers(server, 1)
  close()
  await server.command("CLIENT", "KILL", "TYPE", "pubsub")
  await vi.waitFor(() => expect(interruptions).toHaveLength(1), patience)
  // Longer than the pause before another attempt.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await waitForSubscribers(server, 0)
  expect(interruptions).toHaveLength(1)
})

test("a client that cannot be duplicated cannot watch", () => {
  const client = { evalSha: async () => null, eval: async () => null }
  expect(RedisAdapter(client)).not.toHaveProperty("watchSessionChanges")
})

test.each(drivers.map(({ name }) => name))("%s rejects if the server is away", async (name) => {
  const url = "redis://127.0.0.1:1"
  const client =
    name === "redis"
      ? createClient({ url })
      : new Redis(url, { lazyConnect: true, retryStrategy: () => 20 })
  client.on("error", () => undefined)
  await expect(watch(RedisAdapter(client, { timeout: 1000 }))).rejects.toMatchObject({
    code: "unreachable",
    operation: "watchSessionChanges",
  })
})
