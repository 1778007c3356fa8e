import type { createMemoryAdapter, MemoryAdapter } from "../memory-adapter.ts"

type Database = ReturnType<typeof createMemoryAdapter>["db"]

/** Returns flawed methods that replace the correct ones; or the `second` adapter. */
export type Flaw = (
  good: MemoryAdapter,
  db: Database,
) => Partial<MemoryAdapter> & { second?: MemoryAdapter }
