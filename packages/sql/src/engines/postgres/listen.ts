/** Receives notifications about a table on a connection of its own. */
import type { NotificationHandlers } from "../../engine.ts"
import type { PostgresPool } from "./driver.ts"

const initialDelay = 100
const maxDelay = 5000

/** How often the connection is checked, in milliseconds: a network that drops packets closes no connection. */
const checkInterval = 10_000

/**
 * Takes a client from the pool, listens, and takes another one whenever its connection is lost. Neither the connection
 * nor a pause keeps the process alive.
 */
export async function listen(
  pool: PostgresPool,
  table: string,
  { onNotification, onInterruption }: NotificationHandlers,
): Promise<() => Promise<void>> {
  let hasEnded = false
  const subscribe = () => createSubscription(pool, table, onNotification, reconnect)
  let release = await subscribe()

  async function reconnect(error: unknown): Promise<void> {
    onInterruption(error)
    for (let delay = initialDelay; ; delay = Math.min(delay * 2, maxDelay)) {
      // The random part keeps processes from connecting at the same moment to a server that has started.
      await pause(delay * (0.5 + Math.random()))
      if (hasEnded || pool.ending) return
      const next = await subscribe().catch(() => undefined)
      if (next === undefined) continue
      release = next
      if (hasEnded) release()
      else onInterruption()
      return
    }
  }

  return async () => {
    hasEnded = true
    release()
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}

type Client = Awaited<ReturnType<PostgresPool["connect"]>>

/**
 * Listens on a client of the pool.
 * @param onLost called once if the connection is lost afterwards
 * @returns a function that ends it. The client is not used again, because it would still listen
 */
async function createSubscription(
  pool: PostgresPool,
  table: string,
  onNotification: NotificationHandlers["onNotification"],
  onLost: (error: unknown) => void,
): Promise<() => void> {
  const client = await pool.connect()
  let state: "starting" | "listening" | "released" = "starting"
  let isWaiting = true

  function release(): void {
    if (state === "released") return
    state = "released"
    clearInterval(timer)
    // Also rejects a query to which no response arrives.
    client.release(true)
  }

  function handleLoss(error: unknown): void {
    const wasListening = state === "listening"
    release()
    if (wasListening) onLost(error)
  }

  function check(): void {
    if (pool.ending) release()
    else if (isWaiting) handleLoss(new Error("timeout expired"))
    else {
      isWaiting = true
      client.query("select 1", []).then(() => {
        isWaiting = false
      }, handleLoss)
    }
  }

  const timer = setInterval(check, checkInterval)
  timer.unref()
  // Stays: a connection may report several errors, and one that nobody handles ends the process.
  client.on("error", handleLoss)
  try {
    const channel = await findChannel(client, table)
    client.on("notification", (notification) => {
      const isOurs = state === "listening" && notification.channel === channel
      if (isOurs) onNotification(notification.payload ?? "")
    })
    await client.query(`listen ${channel}`, [])
  } catch (error) {
    release()
    throw error
  }
  isWaiting = false
  state = "listening"
  client.unref?.()
  return release
}

/** Returns the channel of a table, along the search path: other schemas of the database have other numbers. */
async function findChannel(client: Client, table: string): Promise<string> {
  const { rows } = await client.query("select 'latchkey_' || $1::regclass::oid as channel", [
    `"${table}"`,
  ])
  // The only column of the only row.
  const [{ channel }] = rows as [{ channel: string }]
  return channel
}
