/** A real database, read behind the adapter's back, and an adapter whose methods fail when a test says so. */
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { SqlAdapter } from "@latchkey/sql"
import { onTestFinished } from "vitest"
import { openMigratedDatabase } from "./migrated-database.ts"

export type AdapterMethod = keyof Adapter
type StoredRow = Record<string, unknown>

export interface TestDatabase {
  readonly adapter: Required<Adapter>
  /** The methods that were called, in order; those that failed too. */
  readonly calls: AdapterMethod[]
  /** Lets a method fail, so many times; without reaching the database, unless `late`. */
  failMethod(method: AdapterMethod, fault?: { times?: number; error?: Error; late?: boolean }): void
  /** Lets every method fail, until `mend`. */
  failAllMethods(error?: Error): void
  clearFaults(): void
  rows(table: "User" | "Account" | "Session" | "VerificationToken" | "Authenticator"): StoredRow[]
  /** How many rows each table has, in the order users, accounts, sessions, e-mail tokens. */
  countRows(): number[]
  /** Stores a user as the application would. */
  createUser(facts?: Partial<AdapterUser>): Promise<AdapterUser>
}

interface Fault {
  remaining: number
  readonly error: Error
  readonly late: boolean
}

/**
 * @param atomic with the optional method that stores a user and an account as one
 * @param hasFactors with the methods for second factors
 */
export async function createTestDatabase({
  atomic = false,
  hasFactors = false,
} = {}): Promise<TestDatabase> {
  const database = openMigratedDatabase()
  onTestFinished(() => database.close())
  const calls: AdapterMethod[] = []
  const faults = new Map<AdapterMethod, Fault>()
  // Adapters for Auth.js do not have these optional methods. Counting is not recorded and never fails.
  const { createUserWithAccount, countAttempt, resetAttempts, ...authjsMethods } = SqlAdapter(
    database,
    { secondFactor: hasFactors },
  )
  const adapter = (atomic
    ? { ...authjsMethods, createUserWithAccount }
    : authjsMethods) as Adapter as Required<Adapter>
  const rows: TestDatabase["rows"] = (table) => database.prepare(`select * from "${table}"`).all()
  return {
    // Otherwise all tests would share the counters of the process.
    adapter: { ...wrapAdapter(adapter, calls, faults), countAttempt, resetAttempts },
    calls,
    failMethod(
      method,
      { times = 1, error = new Error("the database is gone"), late = false } = {},
    ) {
      faults.set(method, { remaining: times, error, late })
    },
    failAllMethods(error = new Error("the database is gone")) {
      const all = Object.keys(adapter) as AdapterMethod[]
      for (const method of all) faults.set(method, { remaining: Infinity, error, late: false })
    },
    clearFaults: () => faults.clear(),
    rows,
    countRows: () =>
      (["User", "Account", "Session", "VerificationToken"] as const).map(
        (table) => rows(table).length,
      ),
    createUser: async (facts = {}) =>
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

function wrapAdapter(
  adapter: Required<Adapter>,
  calls: AdapterMethod[],
  faults: ReadonlyMap<AdapterMethod, Fault>,
): Required<Adapter> {
  const methods = Object.entries(adapter as unknown as Record<AdapterMethod, AnyMethod>)
  const entries = methods.map(([name, method]) => [
    name,
    typeof method !== "function"
      ? method
      : async (...parameters: unknown[]) => {
          const called = name as AdapterMethod
          calls.push(called)
          const fault = faults.get(called)
          const fails = fault !== undefined && fault.remaining > 0
          if (fails) fault.remaining -= 1
          if (fails && !fault.late) throw fault.error
          const result = await method(...parameters)
          if (fails) throw fault.error
          return result
        },
  ])
  return Object.fromEntries(entries) as Required<Adapter>
}
