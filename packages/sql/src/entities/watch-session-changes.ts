import { isDate, type SessionChange, type SessionRecordStore } from "@latchkey/core/adapters"
import type { Engine } from "../engine.ts"
import { type Store, toSqlError } from "../store.ts"

type WatchSessionChanges = Required<SessionRecordStore>["watchSessionChanges"]

/** Reports the changes of sessions that any process stores. */
export function watchSessionChanges(
  store: Store,
  listen: NonNullable<Engine["listen"]>,
  ...[onChange, onInterruption]: Parameters<WatchSessionChanges>
): Promise<() => Promise<void>> {
  const operation = "watchSessionChanges"
  return store.wrapErrors(operation, () =>
    listen(store.layout.tables.LatchkeySessionChange, {
      onNotification(payload) {
        const change = parseChange(payload)
        if (change) onChange(change)
        else onInterruption()
      },
      onInterruption: (...reason) =>
        onInterruption(
          ...reason.map((error) => toSqlError(store.engine.dialect, operation, error)),
        ),
    }),
  )
}

/** Reads a change from a notification; null if another version, or somebody else, has sent something else. */
function parseChange(payload: string): SessionChange | null {
  try {
    const { key, changedAt, expires, details } = JSON.parse(payload)
    const isChange =
      isDate(changedAt) && isDate(expires) && typeof key === "string" && typeof details === "string"
    return isChange
      ? { key, changedAt: new Date(changedAt), expires: new Date(expires), details }
      : null
  } catch {
    return null
  }
}
