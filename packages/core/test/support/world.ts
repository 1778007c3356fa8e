/** A real database, read behind the adapter's back, and an adapter whose methods fail when a test says so. */
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { onTestFinished } from "vitest"

export type Method = keyof Adapter
type StoredRow = Record<string, unknown>

export interface World {
  readonly adapter: Required<Adapter>
  /** The methods that were called, in order; those that failed too. */
  readonly calls: Method[]
  /** Lets a method fail, so many times; without reaching the database, unless `late`. */
  fail(method: Method, fault?: { times?: number; error?: Error; late?: boolean }): void
  /** Lets every method fail, until `mend`. */
  failAll(error?: Error): void
  mend(): void
  rows(table: "User" | "Account" | "Session" | "VerificationToken" | "Authenticator"): StoredRow[]
  /** How many rows each table has, in the order users, accounts, sessions, e-mail tokens. */
  counts(): number[]
  /** Stores a user as the application would. */
  user(facts?: Partial<AdapterUser>): Promise<AdapterUser>
}

interface Fault {
  left: number
  readonly error: Error
  readonly late: boolean
}

/** @param atomic with the optional method that stores a user and an account as one */
export async function world({ atomic = false } = {}): Promise<World> {
  const database = openSqlite(":memory:")
  onTestFinished(() => database.close())
  await migrate(database)
  const calls: Method[] = []
  const faults = new Map<Method, Fault>()
  // As adapters of the contract are that know nothing of our optional method.
  const { createUserWithAccount, ...contract } = SqlAdapter(database)
  const adapter = (atomic ? { ...contract, createUserWithAccount } : contract) as Required<Adapter>
  const rows: World["rows"] = (table) => database.prepare(`select * from "${table}"`).all()
  return {
    adapter: wrapped(adapter, calls, faults),
    calls,
    fail(method, { times = 1, error = new Error("the database is gone"), late = false } = {}) {
      faults.set(method, { left: times, error, late })
    },
    failAll(error = new Error("the database is gone")) {
      const all = Object.keys(adapter) as Method[]
      for (const method of all) faults.set(method, { left: Infinity, error, late: false })
    },
    mend: () => faults.clear(),
    rows,
    counts: () =>
      (["User", "Account", "Session", "VerificationToken"] as const).map(
        (table) => rows(table).length,
      ),
    user: async (facts = {}) =>
      adapter.createUser({
        id: crypto.randomUUID(),
        name: "Ada Lovelace",
        email: "ada@example.com",
        emailVerified: null,
        ...facts,
      }),
  }
}

type AnyMethod = (...parameters: unknown[]) => Promise<unknown>

function wrapped(
  adapter: Required<Adapter>,
  calls: Method[],
  faults: ReadonlyMap<Method, Fault>,
): Required<Adapter> {
  const methods = Object.entries(adapter as unknown as Record<Method, AnyMethod>)
  const entries = methods.map(([name, method]) => [
    name,
    async (...parameters: unknown[]) => {
      const called = name as Method
      calls.push(called)
      const fault = faults.get(called)
      const fails = fault !== undefined && fault.left > 0
      if (fails) fault.left -= 1
      if (fails && !fault.late) throw fault.error
      const result = await method(...parameters)
      if (fails) throw fault.error
      return result
    },
  ])
  return Object.fromEntries(entries) as Required<Adapter>
}
