import { setTimeout as sleep } from "node:timers/promises"
import type { RedisError } from "../errors.ts"
import type { RedisClient } from "./clients.ts"
import { normalizeReply, toRedisError, withTimeout } from "./connection.ts"
import { createMessageQueue } from "./message-queue.ts"
import { isClosed, onClientEnd, subscribe } from "./subscriber.ts"

/** A channel to watch, and the functions to call. */
export interface ChannelWatch<Value> {
  /** Names the method in errors. */
  readonly operation: string
  readonly channel: string
  /** How long to wait for a connection, in milliseconds. */
  readonly timeout: number
  /** Reads what a message announces. If it rejects, the connection counts as broken. */
  readMessage(message: string): Promise<Value>
  onValue(value: Value): void
  /**
   * Called with the reason if messages may have been lost, and without one when the channel is watched again, or too many
   * messages came at once.
   */
  onInterruption(error?: unknown): void
}

/** How long to wait before another attempt to connect, in milliseconds. Doubles with each attempt. */
const [minDelay, maxDelay] = [100, 5000]

/**
 * Watches a channel until the returned function is called, or the application closes its client. Replaces a connection
 * that breaks.
 * @throws RedisError if it cannot subscribe now
 */
export async function watchChannel<Value>(
  client: RedisClient,
  { onInterruption, onValue, ...options }: ChannelWatch<Value>,
): Promise<() => void> {
  let isEnded = false
  const watch = {
    ...options,
    onValue: (value: Value) => void (isEnded || onValue(value)),
    // What is missed can be read as after another interruption.
    onMissed: () => void (isEnded || onInterruption()),
  }
  let connection = await openConnection(client, watch)

  async function keepOpen(): Promise<void> {
    for (;;) {
      const error = await connection.broken
      if (isEnded) return
      onInterruption(error)
      const next = await reopen()
      if (!next) return end()
      connection = next
      onInterruption()
    }
  }

  async function reopen(): Promise<OpenConnection | undefined> {
    for (let delay = minDelay; ; delay = Math.min(delay * 2, maxDelay)) {
      await sleep(delay, undefined, { ref: false })
      if (isEnded || isClosed(client)) return undefined
      const next = await openConnection(client, watch).catch(() => undefined)
      if (!isEnded && next) return next
      next?.close()
    }
  }

  function end(): void {
    isEnded = true
    connection.close()
    forgetClient()
  }

  const forgetClient = onClientEnd(client, end)
  void keepOpen()
  return end
}

/** A connection that is subscribed. */
interface OpenConnection {
  /** Resolves to the error when the connection breaks. */
  readonly broken: Promise<RedisError>
  close(): void
}

async function openConnection<Value>(
  client: RedisClient,
  watch: Omit<ChannelWatch<Value>, "onInterruption"> & { onMissed(): void },
): Promise<OpenConnection> {
  const { channel, onMissed, operation, timeout } = watch
  const closing = new AbortController()
  let onEnd: (error?: unknown) => void = () => undefined
  const broken = new Promise<RedisError>((resolve) => {
    onEnd = (error) => {
      // At once, because drivers that reconnect meanwhile cannot be stopped.
      closing.abort()
      resolve(toRedisError(operation, error))
    }
  })
  const read = async (message: string) => watch.onValue(await watch.readMessage(message))
  const queue = createMessageQueue({
    read,
    onFailed: onEnd,
    // Not after the connection broke: the channel would seem to be watched again.
    onMissed: () => void (closing.signal.aborted || onMissed()),
  })
  const onMessage = (message: unknown): void => queue(String(normalizeReply(message)))
  const subscribed = subscribe(client, { channel, onEnd, onMessage }, closing.signal)
  const failed = broken.then((error) => Promise.reject(error))
  try {
    await withTimeout(timeout, operation, Promise.race([subscribed, failed]))
  } catch (error) {
    closing.abort()
    throw toRedisError(operation, error)
  }
  return { broken, close: () => closing.abort() }
}
