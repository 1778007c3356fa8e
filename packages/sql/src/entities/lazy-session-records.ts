import type { SessionRecordMethods } from "@latchkey/adapter-kit"
import type { SessionRecordStore } from "@latchkey/core/adapters"
import type { Awaitable } from "@latchkey/core/types"
import type { Engine } from "../engine.ts"
import { runOnce, type Store } from "../store.ts"

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
  const load = runOnce(async () => {
    const { createSessionRecordStore } = await import("./session-record-store.ts")
    return createSessionRecordStore(store, onStored, listen !== undefined)
  })
  const lazy =
    <Parameters extends readonly unknown[], Result>(
      pick: (methods: SessionRecordMethods) => (...args: Parameters) => Awaitable<Result>,
    ) =>
    async (...parameters: Parameters): Promise<Result> =>
      pick(await load())(...parameters)
  return {
    saveSessionRecord: lazy((methods) => methods.saveSessionRecord),
    getSessionRecord: lazy((methods) => methods.getSessionRecord),
    listSessionRecords: lazy((methods) => methods.listSessionRecords),
    findSessionRecords: lazy((methods) => methods.findSessionRecords),
    updateSessionRecord: lazy((methods) => methods.updateSessionRecord),
    deleteSessionRecord: lazy((methods) => methods.deleteSessionRecord),
    saveSessionChange: lazy((methods) => methods.saveSessionChange),
    listSessionChanges: lazy((methods) => methods.listSessionChanges),
    ...(listen && {
      async watchSessionChanges(...callbacks) {
        const { watchSessionChanges } = await import("./watch-session-changes.ts")
        return watchSessionChanges(store, listen, ...callbacks)
      },
    }),
  }
}
