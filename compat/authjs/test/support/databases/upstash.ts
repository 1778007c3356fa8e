import { randomBytes } from "node:crypto"
import { UpstashRedisAdapter } from "@auth/upstash-redis-adapter"
import type { Row } from "@latchkey/testing"
import { Redis } from "@upstash/redis"
import { createClient } from "redis"
import type { AdapterSetup } from "../adapter-setup.ts"
import { startUpstashApi } from "../servers/upstash-api.ts"
import { parseDates } from "./sql-rows.ts"

const redisUrl = process.env["LATCHKEY_REDIS"] ?? "redis://127.0.0.1:6379"

const noUniqueConstraints =
  "a second record replaces the first: a key-value store has no constraints"

const upstashSetup: AdapterSetup = {
  adapter: "@auth/upstash-redis-adapter",
  database: "Redis behind an imitation of Upstash",
  knownFailuresOnly: true,
  knownFailures: {
    "createUser rejects an address that is taken": noUniqueConstraints,
    "linkAccount rejects a linked account, and does not change it": noUniqueConstraints,
    "a session that is deleted while it is renewed stays deleted":
      "a renewal reads and writes in two steps, and writes what was deleted meanwhile",
    "of 64 concurrent uses of a verification token, one succeeds":
      "a link that is opened several times at the same moment signs in each time",
    "deleteUser removes the user with all sessions and accounts, and no others":
      "of several sessions of a user, only the latest is deleted",
  },
  async openDatabase() {
    const prefix = `latchkey-compat-${randomBytes(6).toString("hex")}:`
    const server = await startUpstashApi(redisUrl)
    const redis = new Redis({ url: server.url, token: "test", enableTelemetry: false })
    const listKeys = (pattern: string): Promise<string[]> => redis.keys(`${prefix}${pattern}`)
    const read = async (key: string): Promise<Row> => {
      const row = await redis.get<object>(prefix + key)
      return row && parseDates(row, (value) => new Date(String(value)))
    }
    const deleteRows = async () => {
      const keys = await listKeys("*")
      if (keys.length > 0) await redis.del(...keys)
    }
    return {
      adapter: UpstashRedisAdapter(redis, { baseKeyPrefix: prefix }),
      db: {
        user: (id) => read(`user:${id}`),
        session: (sessionToken) => read(`user:session:${sessionToken}`),
        account: ({ provider, providerAccountId }) =>
          read(`user:account:${provider}:${providerAccountId}`),
        verificationToken: ({ identifier, token }) => read(`user:token:${identifier}:${token}`),
      },
      countRows: async () => [
        (await listKeys("user:*")).filter((key) => /:user:[\w-]+$/.test(key)).length,
        (await listKeys("user:account:*")).filter((key) => !key.includes("by-user-id")).length,
        (await listKeys("user:session:*")).filter((key) => !key.includes("by-user-id")).length,
      ],
      deleteRows,
      async [Symbol.asyncDispose]() {
        await deleteRows()
        await server[Symbol.asyncDispose]()
      },
    }
  },
}

async function connectToRedis(): Promise<void> {
  const socket = { connectTimeout: 2000, reconnectStrategy: false } as const
  const client = createClient({ url: redisUrl, socket }).on("error", () => undefined)
  await client.connect()
  client.destroy()
}

/** Empty if Redis does not respond. */
export const upstashSetups: readonly AdapterSetup[] = await connectToRedis().then(
  () => [upstashSetup],
  (error: unknown) => {
    console.warn(`No Redis at ${new URL(redisUrl).host}: it is left out (${error})`)
    return []
  },
)
