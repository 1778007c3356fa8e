import { createServer, connect as openSocket, type Socket } from "node:net"
import type { SessionChange } from "@latchkey/core/adapters"
import { SqlAdapter, type SqlDatabase, SqlError } from "@latchkey/sql"
import type { Pool } from "pg"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { TestDatabase } from "./support/database-kinds/database-kind.ts"
import { postgresServer } from "./support/database-kinds/postgres.ts"
import { runUntilExit } from "./support/worker-processes.ts"

const options = { sessionRecords: true, notify: true, migrate: true } as const

let last = 0

function buildChange(facts: Partial<SessionChange> = {}): SessionChange {
  last += 1
  return {
    key: `key ${last}`,
    changedAt: new Date("2026-11-27T01:02:03.004Z"),
    expires: new Date("2100-01-01T00:00:00.001Z"),
    details: "{}",
    ...facts,
  }
}

/** Watches through a pool, and records what is reported. */
async function watch(database: SqlDatabase) {
  const adapter = SqlAdapter(database, options)
  const changes: SessionChange[] = []
  const interruptions: (readonly unknown[])[] = []
  const end = await adapter.watchSessionChanges?.(
    (change) => void changes.push(change),
    (...reason) => void interruptions.push(reason),
  )
  if (!end) throw new Error("The adapter has no notifications.")
  return { adapter, changes, interruptions, end: async () => end() }
}

/** Returns the server processes of connections that listen. */
async function findListeners({ query }: TestDatabase): Promise<unknown[]> {
  const rows = await query(
    "select pid from pg_stat_activity where application_name = current_schema() and (query like 'listen %' or query = 'select 1')",
  )
  return rows.map(({ pid }) => pid)
}

const connectionLoss = expect.objectContaining({
  name: "SqlError",
  code: "unreachable",
  operation: "watchSessionChanges",
})

describe.each(postgresServer)("notifications of changes of sessions, on $name", (kind) => {
  /** Opens a database with another pool, through which a second process stores changes. */
  async function open() {
    const opened = await kind.open()
    const other = opened.reconnect?.()
    if (!other) throw new Error("The database has no second connection.")
    // The type of `open` does not say which kind of database it is.
    const pool = opened.database as Pool
    return { ...opened, pool, other: SqlAdapter(other, options) }
  }

  test("reach all processes, once they are stored", async () => {
    const { pool, other } = await open()
    const { adapter, changes, interruptions, end } = await watch(pool)
    const stored = [buildChange(), buildChange({ details: '{"é":"👩‍🚀"}' }), buildChange()]
    for (const change of stored) await other.saveSessionChange(change)
    await adapter.saveSessionChange(stored[0] ?? buildChange())
    // In any order.
    await vi.waitFor(() => expect(changes).toHaveLength(4))
    expect(changes).toEqual(expect.arrayContaining(stored))
    expect(await adapter.listSessionChanges(new Date(0))).toHaveLength(3)
    expect(interruptions).toEqual([])
    await end()
  })

  test("are not sent for a change that a later one has replaced", async () => {
    const { pool, other } = await open()
    const { changes, end } = await watch(pool)
    const [later, marker] = [buildChange(), buildChange()]
    await other.saveSessionChange(later)
    await other.saveSessionChange({ ...later, changedAt: new Date("2026-01-01") })
    await other.saveSessionChange(marker)
    await vi.waitFor(() => expect(changes).toEqual([later, marker]))
    await end()
  })

  test("may be as long as a change, however its characters are escaped", async () => {
    const { pool, other } = await open()
    const { changes, end } = await watch(pool)
    const change = buildChange({ key: "k".repeat(80), details: "\u0001".repeat(1024) })
    await other.saveSessionChange(change)
    await vi.waitFor(() => expect(changes).toEqual([change]))
    await end()
  })

  test("do not reach an application in another schema of the database", async () => {
    const [first, second] = [await open(), await open()]
    const watches = [await watch(first.pool), await watch(second.pool)]
    const [here, there] = [buildChange(), buildChange()]
    await first.other.saveSessionChange(here)
    await second.other.saveSessionChange(there)
    await vi.waitFor(() => {
      expect(watches.map(({ changes }) => changes)).toEqual([[here], [there]])
    })
    for (const { end } of watches) await end()
  })

  test("continue after the server has closed the connection, and both is reported", async () => {
    const opened = await open()
    const { adapter, changes, interruptions, end } = await watch(opened.pool)
    const [listener] = await findListeners(opened)
    await opened.query("select pg_terminate_backend(?)", listener)
    const missed = buildChange()
    await opened.other.saveSessionChange(missed)
    await vi.waitFor(() => expect(interruptions).toEqual([[connectionLoss], []]), 10_000)
    expect(interruptions[0]?.[0]).toBeInstanceOf(SqlError)
    // What was stored meanwhile can be read now, if it was not reported.
    expect(await adapter.listSessionChanges(missed.changedAt)).toEqual([missed])

    const next = buildChange()
    await opened.other.saveSessionChange(next)
    await vi.waitFor(() => expect(changes).toContainEqual(next))
    expect(await findListeners(opened)).not.toContain(listener)
    await end()
  })

  test("do not seem to continue when a change cannot be read while the connection is lost", async () => {
    const opened = await open()
    const { pool, other } = opened
    const administration = opened.reconnect?.() as Pool
    const { interruptions, end } = await watch(pool)
    const [listener] = await findListeners(opened)
    let failRead = (_: Error): void => undefined
    const read = vi.spyOn(pool, "query").mockImplementation(
      () =>
        new Promise((_, reject) => {
          failRead = reject
        }),
    )
    await other.saveSessionChange(buildChange())
    await vi.waitFor(() => expect(read).toHaveBeenCalled())
    vi.spyOn(pool, "connect").mockRejectedValue(new Error("Connection terminated"))
    await administration.query("select pg_terminate_backend($1)", [listener])
    await vi.waitFor(() => expect(interruptions).toHaveLength(1))
    failRead(new Error("Connection terminated"))
    await new Promise((resolve) => setImmediate(resolve))
    expect(interruptions).toEqual([[connectionLoss]])
    vi.restoreAllMocks()
    await vi.waitFor(() => expect(interruptions).toEqual([[connectionLoss], []]), 10_000)
    await end()
  })

  test("continue after the network has dropped the connection without closing it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    onTestFinished(() => void vi.useRealTimers())
    const opened = await open()
    await using network = await openFreezableNetwork(opened)
    const { changes, interruptions, end } = await watch(
      opened.connectThroughPort?.(network.port) as Pool,
    )
    vi.advanceTimersByTime(10_000)
    const before = buildChange()
    await opened.other.saveSessionChange(before)
    await vi.waitFor(() => expect(changes).toEqual([before]))
    expect(interruptions).toEqual([])

    network.freeze()
    // The idle connections of the pool are frozen, too.
    const advance = () => {
      vi.advanceTimersByTime(10_000)
      expect(interruptions.at(-1)).toEqual([])
    }
    await vi.waitFor(advance, { interval: 500, timeout: 20_000 })
    expect(interruptions[0]).toEqual([connectionLoss])
    const next = buildChange()
    await opened.other.saveSessionChange(next)
    await vi.waitFor(() => expect(changes).toContainEqual(next))
    await end()
  })

  test("report only what is stored: every role of the database may send them", async () => {
    const { pool, query, other } = await open()
    const { changes, interruptions, end } = await watch(pool)
    const [stored, forged] = [buildChange(), buildChange()]
    const payloads = ["nonsense", "null", JSON.stringify(forged), forged.key, "k".repeat(7000)]
    for (const payload of payloads)
      await query(
        `select pg_notify('latchkey_' || '"LatchkeySessionChange"'::regclass::oid, ?)`,
        payload,
      )
    await other.saveSessionChange(stored)
    await vi.waitFor(() => expect(changes).toEqual([stored]))
    expect(interruptions).toEqual([])
    await end()
  })

  test("do not keep the application waiting, however many another role sends", async () => {
    const { pool, other, query } = await open()
    const { adapter, changes, interruptions, end } = await watch(pool)
    await query(
      `select count(pg_notify('latchkey_' || '"LatchkeySessionChange"'::regclass::oid, 'forged ' || number))
       from generate_series(1, 100000) number`,
    )
    await other.saveSessionChange(buildChange())
    // Missed, or not: either is reported.
    await vi.waitFor(() => expect(changes.length + interruptions.length).toBeGreaterThan(0))
    expect(pool.waitingCount).toBeLessThan(2)
    expect(await adapter.getUser("somebody")).toBeNull()
    // Without a reason: what was missed can be read.
    expect(interruptions.flat()).toEqual([])
    const next = buildChange()
    await vi.waitFor(async () => {
      await other.saveSessionChange(next)
      expect(changes).toContainEqual(next)
    })
    await end()
  })

  test("take a connection of the pool, which is closed when they end", async () => {
    const opened = await open()
    const { end } = await watch(opened.pool)
    expect(await findListeners(opened)).toHaveLength(1)
    await end()
    await end()
    await vi.waitFor(async () => expect(await findListeners(opened)).toEqual([]))
    await opened.pool.end()
  })

  test("end with the pool", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    onTestFinished(() => void vi.useRealTimers())
    const { pool } = await open()
    const { interruptions } = await watch(pool)
    const closed = pool.end()
    vi.advanceTimersByTime(10_000)
    await closed
    expect(interruptions).toEqual([])
  })

  test("do not keep a process alive", async () => {
    const { address = "", pool } = await open()
    const { end } = await watch(pool)
    expect(await runUntilExit(address, "watchAndEnd")).toEqual({ code: 0, signal: null })
    await end()
  })

  test("are refused without the tables, and the connection is returned", async () => {
    const { pool } = await open()
    const { migrate: _, ...unmigrated } = options
    const adapter = SqlAdapter(pool, unmigrated)
    const ignore = () => undefined
    await expect(adapter.watchSessionChanges?.(ignore, ignore)).rejects.toMatchObject({
      code: "unmigrated",
      operation: "watchSessionChanges",
    })
    await pool.end()
  })
})

/** Opens a port that leads to the server, until all its connections stop passing anything on. Later ones work. */
async function openFreezableNetwork({ server }: TestDatabase) {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const upstream = openSocket(server?.port ?? 0, server?.host)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on("error", () => undefined)
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    freeze() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    // Before the pool is closed, which would wait for its frozen connections.
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
