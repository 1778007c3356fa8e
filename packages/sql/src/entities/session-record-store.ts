import type { SessionRecordMethods } from "@latchkey/adapter-kit"
import type { Store } from "../store.ts"
import { createSessionChangeMethods } from "./session-changes.ts"
import { createSessionRecordMethods } from "./session-records.ts"

/** Creates the methods for records and changes of sessions. `createLazySessionRecords` loads this module. */
export function createSessionRecordStore(
  store: Store,
  onStored: () => void,
  notify: boolean,
): SessionRecordMethods {
  return {
    ...createSessionRecordMethods(store, onStored),
    ...createSessionChangeMethods(store, onStored, notify),
  }
}
