/** What the tenant provider remembers while it runs: sign-ins under way, grants, codes and tokens. */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"

interface Entry {
  readonly model: string
  readonly payload: AdapterPayload
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Most entries; the oldest goes first. */
const most = 5000

/**
 * Storage for `oidc-provider`.
 *
 * Sessions are forgotten at once: the provider asks at every sign-in who is there, so that one browser can
 * try several people.
 */
export function createMemory(): AdapterFactory {
  const entries = new Map<string, Entry>()
  return (model) => (model === "Session" ? forgetful : adapterOf(model, entries))
}

const forgetful: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

function adapterOf(model: string, entries: Map<string, Entry>): Adapter {
  const keyOf = (id: string) => `${model}:${id}`
  const read = (id: string): AdapterPayload | undefined => {
    const entry = entries.get(keyOf(id))
    return entry && entry.until > Date.now() ? entry.payload : undefined
  }
  return {
    ...forgetful,
    async upsert(id, payload, expiresIn) {
      const until = Date.now() + (expiresIn ?? 3600) * 1000
      entries.delete(keyOf(id)) // comes last again
      entries.set(keyOf(id), { model, payload, until })
      const [oldest] = entries.keys()
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
    find: async (id) => read(id),
    async consume(id) {
      const payload = read(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(keyOf(id))
    },
    async revokeByGrantId(grantId) {
      for (const [key, entry] of entries) {
        if (entry.model === model && entry.payload.grantId === grantId) entries.delete(key)
      }
    },
  }
}
