/** The records of a store, and what this process knows of them. */
import { type AdapterStore, createAdapterStore } from "../../config/adapter-store.ts"
import type { SessionServices } from "../../config/core-services.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { InvalidOption } from "../../errors.ts"
import { ChangeFeed } from "./change-feed.ts"

export interface SessionRecords {
  readonly options: ResolvedSessionRecords
  readonly store: AdapterStore
  readonly feed: ChangeFeed
  /** When this process last recorded that a session was used, by its id. */
  readonly lastSeen: Map<string, number>
}

/** Configurations with the same store share what is known of it. */
const recordsOfStores = new WeakMap<object, Omit<SessionRecords, "options">>()

/**
 * Returns the records of a configuration.
 *
 * @throws InvalidOption if it has none
 */
export function getSessionRecords({ config, logger }: SessionServices): SessionRecords {
  const options = config.session.records
  // A store that is missing is a problem of the configuration, which refuses every request.
  if (!options?.store)
    throw new InvalidOption({
      option: "session.records",
      expected: "`session.records`, and a store for them",
      hint: "Write `session: { records: true }`, so that sessions are recorded from now on.",
    })
  const known = recordsOfStores.get(options.store)
  if (known) return { ...known, options }
  const store = createAdapterStore(options.store, logger)
  const canWatch = typeof options.store.watchSessionChanges === "function"
  const records = { store, feed: new ChangeFeed(store, canWatch, logger), lastSeen: new Map() }
  recordsOfStores.set(options.store, records)
  return { ...records, options }
}
