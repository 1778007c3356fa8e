/**
 * A connection of its own for one channel, with the settings of the application's client. It never reconnects, because
 * the drivers differ in whether and when they report that messages may have been lost.
 */
import { hasMethods, type Methods, type RedisClient } from "./clients.ts"

/** A channel, and functions for its messages and for the end of the connection. */
interface Subscription {
  readonly channel: string
  onMessage(message: unknown): void
  /** Called at least once when the connection fails or ends; without an error if the driver has none. */
  onEnd(error?: unknown): void
}

/** Options of `ioredis`. */
const ioRedisOptions = { lazyConnect: true, retryStrategy: () => null }

/**
 * Subscribes to a channel with the settings of a client. The signal closes the connection.
 * @throws an error of the driver, or TypeError
 */
export async function subscribe(
  client: RedisClient,
  { channel, onMessage, onEnd }: Subscription,
  signal: AbortSignal,
): Promise<void> {
  const node = await findNode(client)
  signal.throwIfAborted()
  const isIoRedis = hasMethods(client, "evalsha")
  const subscriber =
    hasMethods(node, "duplicate") && node.duplicate(isIoRedis ? ioRedisOptions : {})
  if (!hasMethods(subscriber, "connect", "on", "subscribe")) {
    throw new TypeError("The client is not connected to any node.")
  }
  signal.addEventListener("abort", () => void closeSubscriber(subscriber))
  for (const event of ["error", "end"]) subscriber.on(event, onEnd)
  // The application's client keeps the process alive, or not.
  if (hasMethods(subscriber, "unref")) subscriber.unref()
  if (isIoRedis) subscriber.on("message", (_: unknown, message: unknown) => onMessage(message))
  await subscriber.connect()
  // Some versions finish connecting although they were closed.
  if (signal.aborted) await closeSubscriber(subscriber)
  await subscriber.subscribe(channel, ...(isIoRedis ? [] : [onMessage]))
}

/** Finds a client of one node. In a cluster, messages reach every node. */
function findNode(client: object): unknown {
  // A cluster of `redis`.
  if (hasMethods(client, "nodeClient"))
    return client.nodeClient(pickRandom(Reflect.get(client, "masters")))
  // A cluster of `ioredis`.
  if (hasMethods(client, "nodes")) return pickRandom(client.nodes("master"))
  if (hasMethods(client, "duplicate")) return client
  // A pool of `redis`.
  return hasMethods(client, "execute") && client.execute((node: unknown) => node)
}

function pickRandom(values: unknown): unknown {
  return Array.isArray(values) ? values[Math.floor(Math.random() * values.length)] : undefined
}

/** Closes a connection that may be closed already. */
async function closeSubscriber(subscriber: object): Promise<void> {
  try {
    if (hasMethods(subscriber, "destroy")) await subscriber.destroy()
    else if (hasMethods(subscriber, "disconnect")) subscriber.disconnect()
  } catch {
    // Some versions refuse to close a connection that is not open.
  }
}

/** Whether the application has closed its client, of which a pool has no event. */
export function isClosed(client: RedisClient): boolean {
  return Reflect.get(client, "isOpen") === false
}

/** Events of clients that the application has closed. */
const endEvents = ["end", "disconnect"]

/** Calls a function once the application has closed its client. Returns a function that forgets it. */
export function onClientEnd(client: RedisClient, listener: () => void): () => void {
  const emitter: Methods<"off" | "on"> | undefined = hasMethods(client, "off", "on")
    ? client
    : undefined
  for (const event of endEvents) emitter?.on(event, listener)
  return () => {
    for (const event of endEvents) emitter?.off(event, listener)
  }
}
