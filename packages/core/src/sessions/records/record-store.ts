/** The records of a store, and what this process knows of them. */
import type { SessionRecordStore } from "../../adapters.ts"
import { type AdapterStore, createAdapterStore } from "../../config/adapter-store.ts"
import type { SessionServices } from "../../config/core-services.ts"
import type { ResolvedSessionRecords } from "../../config/resolved-config.ts"
import { InvalidOption } from "../../errors.ts"
import type { Logger } from "../../logging/logger.ts"
import { ChangeFeed } from "./change-feed.ts"

export interface RecordServices {
  readonly options: ResolvedSessionRecords
  readonly store: AdapterStore
  readonly feed: ChangeFeed
  /** When this process last recorded that a session was used, by its id. */
  readonly lastSeen: Map<string, number>
}

/** Configurations with the same store share what is known of it. */
const recordsOfStores = new WeakMap<object, Omit<RecordServices, "options">>()

/**
 * Returns the records of a configuration.
 *
 * @throws InvalidOption if it has none
 */
export function getSessionRecords({ config, logger }: SessionServices): RecordServices {
  const options = config.session.records
  // A store that is missing is an error of the configuration, which refuses every request.
  if (!options?.store)
    throw new InvalidOption({
      option: "session.records",
      expected: "the option `session.records`",
      received: "nothing",
      hint: "Write `session: { records: true }`: sessions are recorded from then on.",
    })
  const shared = recordsOfStores.get(options.store) ?? openStore(options.store, logger)
  recordsOfStores.set(options.store, shared)
  return { ...shared, options }
}

function openStore(
  adapter: Partial<SessionRecordStore>,
  logger: Logger,
): Omit<RecordServices, "options"> {
  const store = createAdapterStore(adapter, logger)
  const canWatch = typeof adapter.watchSessionChanges === "function"
  return { store, feed: new ChangeFeed(store, canWatch, logger), lastSeen: new Map() }
}
