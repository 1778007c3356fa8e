import { inspect } from "node:util"
import { RedisAdapter, RedisError } from "@latchkey/redis"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { type Driver, drivers } from "./support/drivers.ts"
import { hasRedisServer, type RedisServer, startServer } from "./support/servers.ts"
import {
  newAccount,
  newChange,
  newRecord,
  newUser,
  secondsFromNow,
} from "./support/test-records.ts"

const secret = "s3cr3t-value"

describe.skipIf(!hasRedisServer).each(drivers)("errors, with $name", (driver: Driver) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  async function createAdapter(url = server.url) {
    const { client, close } = await driver.connect(url)
    onTestFinished(close)
    return RedisAdapter(client)
  }

  async function captureError(work: () => unknown): Promise<RedisError> {
    const [result] = await Promise.allSettled([(async () => work())()])
    if (result?.status !== "rejected") throw new Error("It should have been refused.")
    const error: unknown = result.reason
    expect(error).toBeInstanceOf(RedisError)
    const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)
    expect(shown).not.toContain(secret)
    // The assertion above has checked the type.
    return error as RedisError
  }

  test("a duplicate is refused", async () => {
    const adapter = await createAdapter()
    const user = await adapter.createUser(newUser({ email: `${secret}@example.test` }))
    const again = await captureError(() => adapter.createUser(newUser({ email: user.email })))
    expect(again).toMatchObject({ name: "RedisError", code: "duplicate", operation: "createUser" })
    const account = newAccount(user, { access_token: secret, providerAccountId: secret })
    await adapter.linkAccount(account)
    expect((await captureError(() => adapter.linkAccount(account))).code).toBe("duplicate")
    const session = { sessionToken: secret, userId: user.id, expires: secondsFromNow(9) }
    await adapter.createSession(session)
    expect((await captureError(() => adapter.createSession(session))).code).toBe("duplicate")
    const token = { identifier: user.email, token: secret, expires: secondsFromNow(9) }
    await adapter.createVerificationToken(token)
    expect((await captureError(() => adapter.createVerificationToken(token))).code).toBe(
      "duplicate",
    )
    const missing = await captureError(() => adapter.updateUser({ id: secret, name: secret }))
    expect(missing).toMatchObject({ code: "not-found", operation: "updateUser", detail: "" })
  })

  test("Redis is full", async () => {
    const adapter = await createAdapter()
    await server.command("CONFIG", "SET", "maxmemory", "1000")
    onTestFinished(async () => void (await server.command("CONFIG", "SET", "maxmemory", "0")))
    const full = await captureError(() => adapter.createUser(newUser({ name: secret })))
    expect(full).toMatchObject({ code: "full", detail: "OOM" })
    expect(full.message).toContain("maxmemory")
    const lease = { key: secret, holder: secret, lifetime: 9000 }
    expect((await captureError(() => adapter.acquireLease(lease))).code).toBe("full")
  })

  test("a replica refuses changes", async () => {
    const adapter = await createAdapter()
    const { id } = await adapter.createUser(newUser())
    await server.command("REPLICAOF", "127.0.0.1", "1")
    onTestFinished(async () => void (await server.command("REPLICAOF", "NO", "ONE")))
    const session = { sessionToken: secret, userId: id, expires: secondsFromNow(9) }
    expect((await captureError(() => adapter.createSession(session))).code).toBe("read-only")
    const lease = { key: secret, holder: secret, lifetime: 9000 }
    expect((await captureError(() => adapter.acquireLease(lease))).code).toBe("read-only")
  })

  test("a user lacks permissions", async () => {
    const rules = ["on", `>${secret}`, "~*", "+@all", "-evalsha"]
    await server.command("ACL", "SETUSER", "limited", ...rules)
    const url = server.url.replace("//", `//limited:${secret}@`)
    const adapter = await createAdapter(url)
    const error = await captureError(() => adapter.getSessionAndUser(secret))
    expect(error).toMatchObject({ code: "refused", detail: "NOPERM" })
    await server.command("ACL", "SETUSER", "limited", "+evalsha", "resetkeys", "~other:*")
    expect((await captureError(() => adapter.getSessionAndUser(secret))).code).toBe("refused")
  })

  test("the permissions in the guide are sufficient", async () => {
    const channels = ["resetchannels", "&{latchkey}:*"]
    const rules = ["on", `>${secret}`, "resetkeys", "~{latchkey}:*", ...channels, "-@all"]
    const commands = [
      "+evalsha",
      "+eval",
      "+@connection",
      "+info",
      ...used.map((name) => `+${name}`),
    ]
    await server.command("ACL", "SETUSER", "app", ...rules, ...commands)
    const adapter = await createAdapter(server.url.replace("//", `//app:${secret}@`))
    const user = await adapter.createUserWithAccount(newUser(), newAccount(newUser()))
    await adapter.createSession({ sessionToken: "t", userId: user.id, expires: secondsFromNow(9) })
    await adapter.updateSession({ sessionToken: "t", expires: secondsFromNow(99) })
    expect(await adapter.listSessions(user.id)).toHaveLength(1)
    const token = { identifier: user.email, token: "t", expires: secondsFromNow(9) }
    await adapter.createVerificationToken(token)
    expect(await adapter.useVerificationToken(token)).toEqual(token)
    const lease = { key: "k", holder: "h", lifetime: 9000 }
    await adapter.acquireLease(lease)
    await adapter.releaseLease(lease)
    expect(await adapter.acquireLease(lease)).toEqual({ state: "granted" })
    expect(await adapter.completeLease({ ...lease, result: "r" })).toBe(true)
    const record = newRecord({ userId: user.id })
    await adapter.saveSessionRecord(record)
    const { id, expires } = record
    expect(await adapter.updateSessionRecord({ id, expires })).toBe(true)
    expect(await adapter.listSessionRecords(user.id)).toEqual([record])
    const watched: unknown[] = []
    const end = await adapter.watchSessionChanges?.(
      (change) => watched.push(change),
      () => undefined,
    )
    const change = newChange()
    // Removes an expired one, too.
    for (const each of [newChange({ expires: new Date(0) }), change])
      await adapter.saveSessionChange(each)
    await vi.waitFor(() => expect(watched).toContainEqual(change), 5000)
    await end?.()
    expect(await adapter.listSessionChanges(change.changedAt)).toEqual([change])
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await adapter.getSessionRecord(id)).toBeNull()
  })

  test("a key holds data of the application", async () => {
    const adapter = await createAdapter()
    await server.command("SET", `{latchkey}:session:${secret}`, "not ours")
    await server.command("DEL", "{latchkey}:users")
    await server.command("SET", "{latchkey}:users", secret)
    onTestFinished(async () => void (await server.command("FLUSHALL")))
    const error = await captureError(() => adapter.getUser("somebody"))
    expect(error).toMatchObject({ code: "name-taken" })
    expect(error.hint).toContain("prefix")
  })

  test("a script fails for another reason", async () => {
    const adapter = await createAdapter()
    await server.command("SET", `{latchkey}:session:${secret}`, secret)
    await server.command("HSET", "{latchkey}:users", "x", "{}")
    onTestFinished(async () => void (await server.command("FLUSHALL")))
    expect((await captureError(() => adapter.getSessionAndUser(secret))).code).toBe("failed")
  })
})

/** The commands of the scripts, as listed in the guide. */
const used = [
  ...["get", "set", "del", "pttl", "pexpire"],
  ...["hget", "hmget", "hset", "hsetnx", "hdel", "hexists"],
  ...["sadd", "srem", "smembers"],
  ...["zadd", "zrem", "zscore", "zrange", "zrangebyscore", "zremrangebyscore"],
  ...["publish", "subscribe"],
]
