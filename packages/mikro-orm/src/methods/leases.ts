import type { LeaseAnswer, LeaseStore } from "@latchkey/core/adapters"
import { type EntityManager, UniqueConstraintViolationException } from "@mikro-orm/core"
import { hasLeases } from "../entities/define.ts"
import type { LeaseEntity } from "../entities/types.ts"
import { MikroOrmError } from "../errors.ts"
import { dataOf } from "../records.ts"
import { fresh, type Store } from "../store.ts"
import { isName } from "../values.ts"

/**
 * The methods for leases. No transaction is open while the work is done. The clock is that of the process, as for
 * sessions: where clocks differ by some seconds, a lease ends as much earlier or later for others.
 *
 * Acquiring reads first: those who wait ask again and again, and neither write nor lock anything by it. Who gets a
 * lease is decided by the statement that writes.
 */
export function leases(store: Store): LeaseStore {
  const { LatchkeyLease } = store.entities
  const run = runner(store)
  return {
    async acquireLease({ key, holder, lifetime }) {
      const lease = { key, holder, expires: ending(lifetime) }
      const data = dataOf(store, "LatchkeyLease", lease)
      return run("acquireLease", async (em) => {
        const read = () =>
          em.findOne(LatchkeyLease, { key }, { ...fresh, disableIdentityMap: true })
        const found = await read()
        const before = standing(found, holder)
        if (before.state === "held" || before.state === "settled") return before
        const made = () => em.create(LatchkeyLease, data, { persist: false })
        if (await (found ? takenOver(em, store, lease) : inserted(em, made()))) {
          return { state: "granted" }
        }
        // Somebody else was first; or nothing is different now, and the driver counts only what is.
        const after = standing(await read(), holder)
        return after.state === "free" ? { state: "held" } : after
      })
    },
    async settleLease({ key, holder, lifetime, result }) {
      const data = dataOf(store, "LatchkeyLease", { expires: ending(lifetime), result })
      if (!isName(key) || !isName(holder)) return false
      const mine = { key, holder, expires: { $gt: new Date() } }
      const count = await run("settleLease", (em) => em.nativeUpdate(LatchkeyLease, mine, data))
      return count > 0
    },
    async releaseLease({ key, holder }) {
      if (!isName(key) || !isName(holder)) return
      const mine = { key, holder, result: null }
      await run("releaseLease", (em) => em.nativeDelete(LatchkeyLease, mine))
    },
  }
}

/** Runs what needs the entity of leases, or says that it is missing. */
function runner({ orm, entities, run }: Store): Store["run"] {
  const known = hasLeases(orm, entities)
  const detail = "MikroORM was not given the entity LatchkeyLease of defineEntities"
  return async (operation, work) => {
    if (!known) throw new MikroOrmError("unmigrated", { operation, detail })
    return run(operation, work)
  }
}

async function inserted(em: EntityManager, lease: LeaseEntity): Promise<boolean> {
  try {
    await em.insert(lease)
    return true
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return false
    throw error
  }
}

/** Takes over a lease that is over, or lets one's own last anew. Nothing is left of an earlier result. */
async function takenOver(
  em: EntityManager,
  { entities }: Store,
  { key, holder, expires }: Pick<LeaseEntity, "expires" | "holder" | "key">,
): Promise<boolean> {
  const over = { expires: { $lte: new Date() } }
  const mine = { holder, result: null }
  const count = await em.nativeUpdate(
    entities.LatchkeyLease,
    { key, $or: [over, mine] },
    { holder, expires, result: null },
  )
  return count > 0
}

/** What a row means for a holder: what is granted already is theirs. */
function standing(
  lease: LeaseEntity | null,
  holder: string,
): LeaseAnswer | { readonly state: "free" } {
  if (lease === null || lease.expires.getTime() <= Date.now()) return { state: "free" }
  const { result } = lease
  if (result !== null && result !== undefined) return { state: "settled", result }
  return { state: lease.holder === holder ? "granted" : "held" }
}

function ending(lifetime: number): Date {
  return new Date(Date.now() + lifetime)
}
