import { RedisAdapter, type RedisClient, RedisSessions } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient, createClientPool, RESP_TYPES } from "redis"
import { describe, expect, onTestFinished, test } from "vitest"
import { hasRedis, randomPrefix, redisUrl, removeKeys } from "./support/shared-redis.ts"
import {
  newAccount,
  newPasskey,
  newUser,
  secondsFromNow,
  startSession,
} from "./support/test-records.ts"

/** Clients with settings that change requests or replies. */
const clients: Readonly<
  Record<string, () => Promise<{ client: RedisClient; close: () => unknown }>>
> = {
  async "redis, with buffers instead of text"() {
    const commandOptions = {
      typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String },
    }
    const client = await createClient({ url: redisUrl, commandOptions }).connect()
    return { client, close: () => client.destroy() }
  },
  async "redis, with RESP 2 and names of its own"() {
    const client = await createClient({ url: redisUrl, RESP: 2, keyPrefix: "test-own:" }).connect()
    return { client, close: () => client.destroy() }
  },
  async "a pool of redis"() {
    const client = createClientPool({ url: redisUrl }, { maximum: 4 })
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  async "ioredis, with numbers as text and names of its own"() {
    const client = new Redis(redisUrl, { stringNumbers: true, keyPrefix: "test-own:" })
    return { client, close: () => client.disconnect() }
  },
  async "ioredis, with pipelines"() {
    const client = new Redis(redisUrl, { enableAutoPipelining: true, protocol: 2 })
    return { client, close: () => client.disconnect() }
  },
}

describe.skipIf(!hasRedis).each(Object.entries(clients))("%s", (_, connect) => {
  test("works like any other client", async () => {
    const prefix = randomPrefix()
    const { client, close } = await connect()
    onTestFinished(async () => {
      close()
      await removeKeys(prefix)
    })
    const adapter = RedisAdapter(client, { prefix })
    const sessions = RedisSessions(client, { prefix, users: adapter })
    const user = await adapter.createUserWithAccount(newUser(), newAccount(newUser()))
    const passkey = await adapter.createAuthenticator(newPasskey(user))
    const counted = { ...passkey, counter: 7 }
    expect(await adapter.updateAuthenticatorCounter(passkey.credentialID, 7)).toEqual(counted)
    expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([counted])
    for (const each of [adapter, sessions]) {
      const sessionToken = await startSession(each, user)
      const expires = secondsFromNow(2000)
      const session = { sessionToken, userId: user.id, expires }
      expect(await each.updateSession({ sessionToken, expires })).toEqual(session)
      expect(await each.getSessionAndUser(sessionToken)).toEqual({ session, user })
      expect(await each.listSessions(user.id)).toEqual([session])
      expect(await each.deleteSessions(user.id)).toBe(1)
      const token = { identifier: user.email, token: "hash", expires }
      await each.createVerificationToken(token)
      expect(await each.useVerificationToken(token)).toEqual(token)
      const lease = { key: "refresh", holder: user.id, lifetime: 60_000 }
      expect(await each.acquireLease(lease)).toEqual({ state: "granted" })
      expect(await each.acquireLease({ ...lease, holder: "other" })).toEqual({ state: "held" })
      expect(await each.completeLease({ ...lease, holder: "other", result: "no" })).toBe(false)
      expect(await each.completeLease({ ...lease, result: "done" })).toBe(true)
      expect(await each.acquireLease(lease)).toEqual({ state: "completed", result: "done" })
    }
    expect(await adapter.deleteUser(user.id)).toEqual(user)
  })
})
