import { setTimeout as sleep } from "node:timers/promises"
import { type AuthConfig, createAuth } from "@latchkey/core"
import { RedisAdapter, RedisError } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { type Driver, drivers } from "./support/drivers.ts"
import { hasRedisServer, type RedisServer, startServer } from "./support/servers.ts"
import { newUser, startSession } from "./support/test-records.ts"

const timeout = 300

/** Clients with default settings, which queue commands while they are disconnected. */
const queueingDrivers: readonly Driver[] = [
  {
    name: "redis",
    async connect(url) {
      const client = createClient({ url })
      client.on("error", () => undefined)
      await client.connect()
      return { client, close: () => client.destroy() }
    },
  },
  {
    name: "ioredis",
    async connect(url) {
      const client = new Redis(url)
      client.on("error", () => undefined)
      return { client, close: () => client.disconnect() }
    },
  },
]

async function createSignedInUser(driver: Driver) {
  const server: RedisServer = await startServer()
  const { client, close } = await driver.connect(server.url)
  onTestFinished(async () => {
    close()
    await server[Symbol.asyncDispose]()
  })
  const adapter = RedisAdapter(client, { timeout })
  const user = await adapter.createUser(newUser())
  const sessionToken = await startSession(adapter, user)
  const check = async () => adapter.getSessionAndUser(sessionToken)
  return { server, adapter, user, sessionToken, check }
}

/** Returns the error of a call. A call that hangs fails its test by the test's own timeout. */
async function captureError(work: () => Promise<unknown>): Promise<RedisError> {
  const [result] = await Promise.allSettled([work()])
  if (result?.status !== "rejected") throw new Error("It should have been refused.")
  const error: unknown = result.reason
  if (!(error instanceof RedisError)) throw new Error("It is no RedisError.", { cause: error })
  return error
}

describe.skipIf(!hasRedisServer).each(drivers)("an outage, with $name", (driver) => {
  test("calls reject quickly during an outage, and succeed afterwards", async () => {
    const { server, adapter, check } = await createSignedInUser(driver)
    await server.kill()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const error = await captureError(check)
      expect(error.code).toMatch(/^(unreachable|timeout)$/)
      expect(error.operation).toBe("getSessionAndUser")
      await sleep(50)
    }
    expect((await captureError(check)).code).toBe("unreachable")
    await server.restart()
    // All data is lost: sessions and scripts.
    await vi.waitFor(async () => expect(await check()).toBeNull(), { timeout: 5000, interval: 20 })
    const user = await adapter.createUser(newUser())
    expect(await adapter.getUser(user.id)).toEqual(user)
  })

  test("calls reject after the timeout if Redis hangs", async () => {
    const { server, check } = await createSignedInUser(driver)
    server.pause()
    const error = await captureError(check)
    server.resume()
    expect(error).toMatchObject({ code: "timeout", operation: "getSessionAndUser" })
    await vi.waitFor(async () => expect(await check()).not.toBeNull(), 10_000)
  })

  test("scripts are sent again after Redis lost them", async () => {
    const { server, check } = await createSignedInUser(driver)
    await server.command("SCRIPT", "FLUSH")
    const checks = await Promise.all(Array.from({ length: 16 }, check))
    for (const found of checks) expect(found).not.toBeNull()
  })

  test("users stay signed in: the cookie stays, and is valid afterwards", async () => {
    const { server, adapter, sessionToken, user } = await createSignedInUser(driver)
    const config = {
      adapter,
      providers: [],
      secret: crypto.randomUUID(),
      trustHost: true,
      logger: { error: () => undefined },
    } satisfies AuthConfig
    const auth = createAuth(config)
    const headers = new Headers({ cookie: `authjs.session-token=${sessionToken}` })
    const session = () => auth.getSession({ headers, url: "http://app.example/" })
    const request = new Request("http://app.example/auth/session", { headers })
    expect((await session()).session?.user?.name).toBe(user.name)
    server.pause()
    const during = await auth.handle(request)
    server.resume()
    expect(during.status).toBe(503)
    expect(during.headers.getSetCookie().join()).not.toContain("session-token")
    await vi.waitFor(
      async () => expect((await session()).session?.user?.name).toBe(user.name),
      10_000,
    )
  })
})

describe.skipIf(!hasRedisServer).each(queueingDrivers)(
  "an outage, with $name and default options",
  (driver) => {
    test("makes calls reject after the timeout, and ends when Redis is back", async () => {
      const { server, adapter, check } = await createSignedInUser(driver)
      await server.kill()
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const error = await captureError(check)
        expect(error.code).toMatch(/^(unreachable|timeout)$/)
      }
      await server.restart()
      const user = newUser()
      const created = async () => adapter.getUserByEmail(user.email)
      await vi.waitFor(
        async () => {
          // A queued command may have run in the meantime.
          if (!(await created())) await adapter.createUser(user)
        },
        { timeout: 10_000 },
      )
      expect(await created()).toEqual(user)
    })
  },
)
