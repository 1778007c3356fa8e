import type { LeaseStatus, LeaseStore } from "@latchkey/core/adapters"
import type { EntityManager } from "@mikro-orm/core"
import { hasEntities } from "../entities/define-entities.ts"
import type { LeaseEntity } from "../entities/entity-types.ts"
import { MikroOrmError } from "../errors.ts"
import { toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"
import { insertRow } from "./insert-row.ts"

/**
 * Creates the methods for leases. No transaction stays open while a lease is held. Expiry depends on the clock of the
 * process, as for sessions: if clocks differ by some seconds, a lease ends that much earlier or later for other
 * processes.
 *
 * Acquiring reads first, so that waiting processes, which ask repeatedly, neither write nor lock anything. The
 * statement that writes decides who gets the lease.
 */
export function createLeaseMethods(store: Store): LeaseStore {
  const { LatchkeyLease } = store.entities
  const run = createLeaseRunner(store)
  return {
    async acquireLease({ key, holder, lifetime }) {
      const lease = { key, holder, expires: expiryAfter(lifetime) }
      const data = toEntityData(store, "LatchkeyLease", lease)
      return run("acquireLease", async (em) => {
        const read = () =>
          em.findOne(LatchkeyLease, { key }, { ...freshReadOptions, disableIdentityMap: true })
        const found = await read()
        const before = readLeaseState(found, holder)
        if (before.state === "held" || before.state === "completed") return before
        const createEntity = () => em.create(LatchkeyLease, data, { persist: false })
        if (await (found ? takeOverLease(em, store, lease) : insertRow(em, createEntity()))) {
          return { state: "granted" }
        }
        // Another process was first, or the row already had these values and the driver counts only changed rows.
        const after = readLeaseState(await read(), holder)
        return after.state === "free" ? { state: "held" } : after
      })
    },
    async completeLease({ key, holder, lifetime, result }) {
      const data = toEntityData(store, "LatchkeyLease", { expires: expiryAfter(lifetime), result })
      if (!isLookupText(key) || !isLookupText(holder)) return false
      const condition = { key, holder, expires: { $gt: new Date() } }
      const count = await run("completeLease", (em) =>
        em.nativeUpdate(LatchkeyLease, condition, data),
      )
      return count > 0
    },
    async releaseLease({ key, holder }) {
      if (!isLookupText(key) || !isLookupText(holder)) return
      const condition = { key, holder, result: null }
      await run("releaseLease", (em) => em.nativeDelete(LatchkeyLease, condition))
    },
  }
}

/** Creates a runner that rejects if the entity of leases is not registered. */
function createLeaseRunner(store: Store): Store["run"] {
  const hasEntity = hasEntities(store, "LatchkeyLease")
  const detail = "MikroORM was not given the entity LatchkeyLease of defineEntities"
  return async (operation, work) => {
    if (!hasEntity) throw new MikroOrmError("unmigrated", { operation, detail })
    return store.run(operation, work)
  }
}

/** Takes over an expired lease, or renews one's own, and clears any earlier result. */
async function takeOverLease(
  em: EntityManager,
  { entities }: Store,
  { key, holder, expires }: Pick<LeaseEntity, "expires" | "holder" | "key">,
): Promise<boolean> {
  const isExpired = { expires: { $lte: new Date() } }
  const isIncompleteOwn = { holder, result: null }
  const count = await em.nativeUpdate(
    entities.LatchkeyLease,
    { key, $or: [isExpired, isIncompleteOwn] },
    { holder, expires, result: null },
  )
  return count > 0
}

/** Interprets a row for a holder, to whom a lease may be granted already. */
function readLeaseState(
  lease: LeaseEntity | null,
  holder: string,
): LeaseStatus | { readonly state: "free" } {
  if (lease === null || lease.expires.getTime() <= Date.now()) return { state: "free" }
  const { result } = lease
  if (result !== null && result !== undefined) return { state: "completed", result }
  return { state: lease.holder === holder ? "granted" : "held" }
}

function expiryAfter(lifetime: number): Date {
  return new Date(Date.now() + lifetime)
}
