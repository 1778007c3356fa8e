import type { SessionRecordMethods } from "@latchkey/adapter-kit"
import type { SessionRecordStore } from "@latchkey/core/adapters"
import type { Engine } from "../engine.ts"
import type { Store } from "../store.ts"
import { createLazyMethods } from "./lazy-methods.ts"

const names = [
  "saveSessionRecord",
  "getSessionRecord",
  "listSessionRecords",
  "findSessionRecords",
  "updateSessionRecord",
  "deleteSessionRecord",
  "saveSessionChange",
  "listSessionChanges",
] as const satisfies readonly (keyof SessionRecordMethods)[]

/**
 * Creates the methods for records and changes of sessions, which load with the first call: few applications have the
 * option.
 * @param onStored called after a record or a change was stored
 * @param listen receives notifications, if processes notify each other
 */
export function createLazySessionRecords(
  store: Store,
  onStored: () => void,
  listen: Engine["listen"],
): SessionRecordMethods & SessionRecordStore {
  const methods = createLazyMethods<SessionRecordMethods>(names, async () => {
    const { createSessionRecordStore } = await import("./session-record-store.ts")
    return createSessionRecordStore(store, onStored, listen !== undefined)
  })
  return {
    ...methods,
    ...(listen && {
      async watchSessionChanges(...callbacks) {
        const { watchSessionChanges } = await import("./watch-session-changes.ts")
        return watchSessionChanges(store, listen, ...callbacks)
      },
    }),
  }
}
