import type { SessionRecordStore } from "@latchkey/core/adapters"
import type { Engine } from "../engine.ts"
import { type Store, toSqlError } from "../store.ts"
import { createChangeReader } from "./session-changes.ts"

type WatchSessionChanges = Required<SessionRecordStore>["watchSessionChanges"]

/** Reports the changes of sessions that any process stores. A notification names the key of a change, which is read. */
export function watchSessionChanges(
  store: Store,
  listen: NonNullable<Engine["listen"]>,
  ...[onChange, onInterruption]: Parameters<WatchSessionChanges>
): Promise<() => Promise<void>> {
  const operation = "watchSessionChanges"
  const readChange = createChangeReader(store)
  async function report(key: string): Promise<void> {
    for (const change of await readChange(key)) onChange(change)
  }
  return store.wrapErrors(operation, () =>
    listen(store.layout.tables.LatchkeySessionChange, {
      onNotification: (key) => void report(key).catch(() => onInterruption()),
      onInterruption: (...reason) =>
        onInterruption(
          ...reason.map((error) => toSqlError(store.engine.dialect, operation, error)),
        ),
    }),
  )
}
