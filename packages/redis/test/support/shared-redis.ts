/** The shared Redis of the tests: LATCHKEY_REDIS, or the local one. If it is missing, its tests are skipped. */
import { randomBytes } from "node:crypto"
import { createClient } from "redis"

/** The URL. */
export const redisUrl = process.env["LATCHKEY_REDIS"] ?? "redis://127.0.0.1:6379"

/** Whether it responds. */
export const hasRedis = await canConnect()

async function canConnect(): Promise<boolean> {
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: 2000, reconnectStrategy: false },
  })
  client.on("error", () => undefined)
  try {
    await client.connect()
    client.destroy()
    return true
  } catch (error) {
    const { host } = new URL(redisUrl)
    const message = `No Redis at ${host} (LATCHKEY_REDIS): ${error}`
    if (process.env["CI"] === "true") throw new Error(message, { cause: error })
    console.warn(`${message}. Its tests are skipped.`)
    return false
  }
}

/** Returns a unique prefix. */
export function randomPrefix(): string {
  return `test-${randomBytes(8).toString("hex")}`
}

/** Deletes every key with a prefix, with or without braces. */
export async function removeKeys(prefix: string): Promise<void> {
  const client = await createClient({ url: redisUrl }).connect()
  for await (const keys of client.scanIterator({ MATCH: `*${prefix}*`, COUNT: 1000 })) {
    if (keys.length > 0) await client.unlink(keys)
  }
  await client.close()
}
