import type { createMemoryAdapter, MemoryAdapter } from "../memory-adapter.ts"

type Database = ReturnType<typeof createMemoryAdapter>["db"]

/** Gives what replaces the good methods, so that the adapter is wrong in one way; or else the `second` adapter. */
export type Flaw = (
  good: MemoryAdapter,
  db: Database,
) => Partial<MemoryAdapter> & { second?: MemoryAdapter }
