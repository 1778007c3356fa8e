import type { SessionRecordStore } from "@latchkey/core/adapters"
import type { Engine } from "../engine.ts"
import { type Store, toSqlError } from "../store.ts"
import { createNotificationQueue } from "./notification-queue.ts"
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
  let isInterrupted = false

  async function report(key: string): Promise<void> {
    for (const change of await readChange(key)) onChange(change)
  }

  /** Lets the changes be read that notifications have missed. During an interruption, that would seem to end it. */
  function reportMissed(): void {
    if (!isInterrupted) onInterruption()
  }

  return store.wrapErrors(operation, () =>
    listen(store.layout.tables.LatchkeySessionChange, {
      onNotification: createNotificationQueue(report, reportMissed),
      onInterruption(...reason) {
        isInterrupted = reason.length > 0
        onInterruption(...reason.map((error) => toSqlError(store.engine.dialect, operation, error)))
      },
    }),
  )
}
