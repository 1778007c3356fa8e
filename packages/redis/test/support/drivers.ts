/** The drivers, configured as in the guide. */
import type { RedisClient } from "@latchkey/redis"
import { Redis } from "ioredis"
import { createClient } from "redis"

/** A connected client. */
export interface ConnectedClient {
  readonly client: RedisClient
  close(): void
}

/** A driver. */
export interface Driver {
  readonly name: string
  connect(url: string): Promise<ConnectedClient>
}

const retryDelay = 20

const nodeRedis: Driver = {
  name: "redis",
  async connect(url) {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: () => retryDelay },
    })
    client.on("error", () => undefined)
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}

const ioRedis: Driver = {
  name: "ioredis",
  async connect(url) {
    const client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      lazyConnect: true,
      retryStrategy: () => retryDelay,
    })
    client.on("error", () => undefined)
    await client.connect()
    return { client, close: () => client.disconnect() }
  },
}

export const drivers: readonly Driver[] = [nodeRedis, ioRedis]
