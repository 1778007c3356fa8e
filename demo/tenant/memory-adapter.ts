/** Stores the pending sign-ins, grants, codes and tokens of the tenant provider in memory. */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"

interface Entry {
  readonly model: string
  readonly payload: AdapterPayload
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** The oldest entries are removed first. */
const maxEntries = 5000

/**
 * Creates the storage of `oidc-provider`.
 *
 * It does not store sessions, so the provider asks for the user at every sign-in and you can try several users in one
 * browser.
 */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new Map<string, Entry>()
  return (model) => (model === "Session" ? noopAdapter : createModelAdapter(model, entries))
}

const noopAdapter: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

function createModelAdapter(model: string, entries: Map<string, Entry>): Adapter {
  const toKey = (id: string) => `${model}:${id}`
  const read = (id: string): AdapterPayload | undefined => {
    const entry = entries.get(toKey(id))
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
  }
  return {
    ...noopAdapter,
    async upsert(id, payload, expiresIn) {
      const expiresAt = Date.now() + (expiresIn ?? 3600) * 1000
      entries.delete(toKey(id)) // Moves the entry to the end.
      entries.set(toKey(id), { model, payload, expiresAt })
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
    find: async (id) => read(id),
    async consume(id) {
      const payload = read(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(toKey(id))
    },
    async revokeByGrantId(grantId) {
      for (const [key, entry] of entries) {
        if (entry.model === model && entry.payload.grantId === grantId) entries.delete(key)
      }
    },
  }
}
