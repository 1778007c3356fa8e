import { RedisAdapter, type RedisClient, RedisSessions } from "@latchkey/redis"
import {
  adapterCases,
  type ConformanceContext,
  type RowReader,
  testAdapterConformance,
} from "@latchkey/testing"
import { Cluster as IoCluster } from "ioredis"
import { createClient, createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type RedisCluster, startCluster } from "./support/cluster.ts"
import { hasRedisServer } from "./support/servers.ts"
import { newChange, newRecord, newUser, startSession } from "./support/test-records.ts"

interface ConnectedClient {
  readonly client: RedisClient
  close(): unknown
}

const drivers = [
  {
    name: "redis",
    async connect(urls: readonly string[]): Promise<ConnectedClient> {
      // Replicas still have ended sessions for a while, so nothing may be read from them.
      const client = createCluster({ rootNodes: urls.map((url) => ({ url })), useReplicas: true })
      client.on("error", () => undefined)
      await client.connect()
      return { client, close: () => client.destroy() }
    },
  },
  {
    name: "ioredis",
    async connect(urls: readonly string[]): Promise<ConnectedClient> {
      const client = new IoCluster([...urls], { scaleReads: "all" })
      client.on("error", () => undefined)
      await new Promise((resolve) => client.once("ready", resolve))
      return { client, close: () => client.disconnect() }
    },
  },
]

/** Tested with a single connection that can be broken: `conformance.server.test.ts`. */
const singleConnectionCases = adapterCases
  .filter(({ needs }) => needs?.includes("interrupt"))
  .map(({ name }) => name)

describe.skipIf(!hasRedisServer)("a cluster of three nodes", () => {
  let cluster: RedisCluster
  let urls: readonly string[]
  beforeAll(async () => {
    cluster = await startCluster()
    urls = cluster.nodes.map(({ url }) => url)
  }, 60_000)
  afterAll(() => cluster[Symbol.asyncDispose]())

  describe.each(drivers)("with $name", (driver) => {
    let first: ConnectedClient
    let second: ConnectedClient
    beforeAll(async () => {
      first = await driver.connect(urls)
      second = await driver.connect(urls)
    })
    afterAll(() => {
      first.close()
      second.close()
    })

    describe("RedisAdapter", () => {
      const adapterOf = ({ client }: ConnectedClient) => RedisAdapter(client)
      const connect = (): ConformanceContext => {
        const adapter = adapterOf(first)
        return { adapter, second: adapterOf(second), db: createRowReader(adapter, adapter) }
      }
      testAdapterConformance({ test, connect, webauthn: true, skip: singleConnectionCases })
    })

    describe("RedisSessions beside another adapter", () => {
      const adapterOf = ({ client }: ConnectedClient) => {
        const users = RedisAdapter(client)
        return { ...users, ...RedisSessions(client, { users }) }
      }
      const connect = (): ConformanceContext => {
        const adapter = adapterOf(first)
        return { adapter, second: adapterOf(second), db: createRowReader(adapter, adapter) }
      }
      testAdapterConformance({ test, connect, webauthn: true, skip: singleConnectionCases })
    })

    test("users are on one node, sessions of RedisSessions on all", async () => {
      for (const node of cluster.nodes) await node.command("FLUSHALL")
      const users = RedisAdapter(first.client)
      const sessions = RedisSessions(first.client, { users })
      const user = await users.createUser(newUser())
      for (let index = 0; index < 60; index += 1) {
        await startSession(users, user)
        await startSession(sessions, user)
      }
      const counts = await Promise.all(
        cluster.nodes.map(async (node) => ({
          users: await countKeys(node.url, "{latchkey}:*"),
          sessions: await countKeys(node.url, "latchkey:session:*"),
        })),
      )
      expect(counts.map((count) => count.users > 0).sort()).toEqual([false, false, true])
      for (const count of counts) expect(count.sessions).toBeGreaterThan(5)
      expect(await sessions.deleteSessions(user.id)).toBe(60)
      expect(await users.listSessions(user.id)).toHaveLength(60)
    })

    test("leases are on one node, those of RedisSessions on all", async () => {
      for (const node of cluster.nodes) await node.command("FLUSHALL")
      const users = RedisAdapter(first.client)
      const sessions = RedisSessions(first.client, { users })
      for (let index = 0; index < 60; index += 1) {
        const lease = { key: `refresh ${index}`, holder: "first", lifetime: 60_000 }
        for (const leases of [users, sessions]) {
          expect(await leases.acquireLease(lease)).toEqual({ state: "granted" })
        }
      }
      const counts = await Promise.all(
        cluster.nodes.map(async ({ url }) => ({
          together: await countKeys(url, "{latchkey}:lease:*"),
          apart: await countKeys(url, "latchkey:lease:*"),
        })),
      )
      expect(counts.map(({ together }) => together).sort()).toEqual([0, 0, 60])
      for (const { apart } of counts) expect(apart).toBeGreaterThan(5)
    })
  })

  describe.each(drivers)("session records and changes, with $name", (driver) => {
    let connected: ConnectedClient
    beforeAll(async () => {
      connected = await driver.connect(urls)
    })
    afterAll(() => connected.close())

    test("are on all nodes, and the changes on one", async () => {
      for (const node of cluster.nodes) await node.command("FLUSHALL")
      const users = RedisAdapter(connected.client)
      const sessions = RedisSessions(connected.client, { users })
      for (let count = 0; count < 60; count += 1) {
        for (const each of [users, sessions]) {
          await each.saveSessionRecord(newRecord())
          await each.saveSessionChange(newChange())
        }
      }
      const count = (pattern: string) =>
        Promise.all(cluster.nodes.map(({ url }) => countKeys(url, pattern)))
      expect((await count("{latchkey}:record:*")).sort()).toEqual([0, 0, 60])
      for (const records of await count("latchkey:record:*")) expect(records).toBeGreaterThan(5)
      expect((await count("{latchkey}:changes:*")).sort()).toEqual([0, 0, 3])
      expect((await count("latchkey:{changes}:*")).sort()).toEqual([0, 0, 3])
    })

    test("arrive again after the connection that watches was killed", async () => {
      const users = RedisAdapter(connected.client)
      const sessions = RedisSessions(connected.client, { users })
      const keys: string[] = []
      const interruptions: unknown[] = []
      const end = await sessions.watchSessionChanges?.(
        ({ key }) => keys.push(key),
        (reason) => interruptions.push(reason),
      )
      for (const node of cluster.nodes) await node.command("CLIENT", "KILL", "TYPE", "pubsub")
      await vi.waitFor(() => expect(interruptions).toHaveLength(2), 10_000)
      expect(interruptions).toMatchObject([{ code: "unreachable" }, undefined])
      const change = newChange()
      await sessions.saveSessionChange(change)
      await vi.waitFor(() => expect(keys).toEqual([change.key]), 10_000)
      await end?.()
      await vi.waitFor(async () => {
        for (const node of cluster.nodes)
          expect(await node.command("CLIENT", "LIST", "TYPE", "pubsub")).toBe("")
      }, 10_000)
    })
  })

  test("an error names the fix for a client of a single node", async () => {
    const elsewhere = await Promise.all(
      urls.map(async (url) => {
        const client = await createClient({ url }).connect()
        const adapter = RedisAdapter(client)
        const [result] = await Promise.allSettled([(async () => adapter.getUser("u"))()])
        client.destroy()
        return result
      }),
    )
    const refused = elsewhere.filter((result) => result?.status === "rejected")
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: "cluster" })
      expect(String(reason)).toContain("createCluster")
    }
  })
})

/** Reads records with the adapter, because the tests with a single node check the keys themselves. */
function createRowReader(
  users: ReturnType<typeof RedisAdapter>,
  sessions: Pick<
    ReturnType<typeof RedisAdapter>,
    "createVerificationToken" | "getSessionAndUser" | "useVerificationToken"
  >,
): RowReader {
  return {
    user: async (id) => users.getUser(id),
    account: async ({ provider, providerAccountId }) =>
      users.getAccount(providerAccountId, provider),
    authenticator: async (credentialID) => users.getAuthenticator(credentialID),
    session: async (token) => (await sessions.getSessionAndUser(token))?.session,
    async verificationToken(key) {
      const token = await sessions.useVerificationToken(key)
      return token && sessions.createVerificationToken(token)
    },
  }
}

async function countKeys(url: string, pattern: string): Promise<number> {
  const client = await createClient({ url }).connect()
  const keys = await client.keys(pattern)
  client.destroy()
  return keys.length
}
