/** A Redis with the keys of earlier releases works with this version. */
import { readFileSync } from "node:fs"
import { RedisAdapter } from "@latchkey/redis"
import { withFrozenTime } from "@latchkey/testing/clock"
import { createClient, RESP_TYPES } from "redis"
import { expect, test } from "vitest"
import { hasRedisServer, startServer } from "../../../packages/redis/test/support/servers.ts"
import { recordActions, recordedTime, startApplication } from "../application.ts"
import { expectContinuity } from "../expect-continuity.ts"
import {
  getReleaseFile,
  readRecording,
  recordedRelease,
  releases,
  writeReleaseFile,
} from "../recording.ts"

/** Keys, and what DUMP returns for each, in Base64. */
type RedisDump = Readonly<Record<string, string>>

async function openRedis() {
  const server = await startServer()
  const client = await createClient({ url: server.url }).connect()
  const application = await startApplication(RedisAdapter(client))
  return {
    client,
    application,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}

test.runIf(recordedRelease && hasRedisServer)("a recording of Redis", async () => {
  await using redis = await openRedis()
  const recording = await withFrozenTime(recordedTime, () => recordActions(redis.application))
  const dump: Record<string, string> = {}
  for (const key of (await redis.client.keys("*")).sort())
    dump[key] = Buffer.from(
      await redis.client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).dump(key),
    ).toString("base64")
  const release = String(recordedRelease)
  writeReleaseFile(release, "redis-keys.json", JSON.stringify(dump, undefined, 2))
  writeReleaseFile(release, "redis.json", JSON.stringify(recording, undefined, 2))
})

test.skipIf(!hasRedisServer).each(releases)("users continue on a Redis of %s", async (release) => {
  await using redis = await openRedis()
  const dump: RedisDump = JSON.parse(
    readFileSync(getReleaseFile(release, "redis-keys.json"), "utf8"),
  )
  // The recorded times are over for Redis, which would remove the keys.
  for (const [key, value] of Object.entries(dump))
    await redis.client.restore(key, 0, Buffer.from(value, "base64"))
  expect(Object.keys(dump).length).toBeGreaterThan(0)
  const recording = readRecording(release, "redis")
  await withFrozenTime(recording.time + 60_000, () =>
    expectContinuity(redis.application, recording),
  )
})
