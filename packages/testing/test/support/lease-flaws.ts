/** Flaws of leases, by the case of the suite that must detect them. */
import type { Lease } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"
import { hideConnectionLoss } from "./hide-connection-loss.ts"

type LeaseRequest = Pick<Lease, "key" | "holder">

const grantedResult = { state: "granted" } as const
const createAttemptKey = ({ key, holder }: LeaseRequest): string => `${key} ${holder}`
const interruptionCase = "interrupted, is done or not done, and can be repeated"
const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 1))

export const leaseFlaws: Readonly<Record<string, Flaw>> = {
  "acquireLease grants a free lease, and to nobody else until it expires": (good) => {
    const refused = new Set<string>()
    return {
      // The second attempt always gets the lease.
      acquireLease: async (lease) => {
        const result = await good.acquireLease(lease)
        if (result.state !== "held") return result
        if (refused.has(createAttemptKey(lease))) return grantedResult
        refused.add(createAttemptKey(lease))
        return result
      },
    }
  },
  "acquireLease renews a lease for its holder": (good, db) => {
    const holders = new Map<string, string>()
    return {
      // The holder keeps the lease for as long as it had asked first.
      acquireLease: async (lease) => {
        const isCompleted = db.lease(lease)?.result !== undefined
        if (!isCompleted && holders.get(lease.key) === lease.holder) return grantedResult
        const result = await good.acquireLease(lease)
        if (result.state === "granted") holders.set(lease.key, lease.holder)
        return result
      },
    }
  },
  "an expired lease is granted to the next holder": (good) => {
    const holders = new Set<string>()
    return {
      acquireLease: async (lease) => {
        const result = await good.acquireLease(lease)
        if (result.state === "granted") holders.add(createAttemptKey(lease))
        return result
      },
      // A former holder can still complete the lease.
      completeLease: async (lease) => {
        if (await good.completeLease(lease)) return true
        return holders.has(createAttemptKey(lease))
      },
      releaseLease: async (lease) => {
        holders.delete(createAttemptKey(lease))
        await good.releaseLease(lease)
      },
    }
  },
  "an expired lease with a result is granted again, without the result": (good) => ({
    completeLease: (lease) => good.completeLease({ ...lease, lifetime: 600_000 }),
  }),
  "completeLease stores no result for a lease of another holder, or of nobody": (good) => {
    const known = new Set<string>()
    return {
      acquireLease: (lease) => {
        known.add(lease.key)
        return good.acquireLease(lease)
      },
      // Stores a lease that does not exist.
      completeLease: async (lease) => {
        if (!known.has(lease.key)) await good.acquireLease(lease)
        return good.completeLease(lease)
      },
    }
  },
  "a lease with a result returns exactly that result to everybody": (good) => ({
    completeLease: (lease) => {
      const result = Buffer.from(lease.result).subarray(0, 65_535).toString()
      return good.completeLease({ ...lease, result })
    },
  }),
  "completeLease may be repeated": (good, db) => ({
    completeLease: async (lease) =>
      db.lease(lease)?.result === undefined && (await good.completeLease(lease)),
  }),
  "releaseLease frees a lease for the next holder": (good) => {
    const released = new Set<string>()
    return {
      releaseLease: async (lease) => {
        await good.releaseLease(lease)
        released.add(createAttemptKey(lease))
      },
      // A holder can still complete a lease after releasing it.
      completeLease: async (lease) => {
        if (released.has(createAttemptKey(lease))) await good.acquireLease(lease)
        return good.completeLease(lease)
      },
    }
  },
  "releaseLease keeps leases of other holders, and leases with a result": (good, db) => ({
    releaseLease: async (lease) => {
      const { result } = db.lease(lease) ?? {}
      await good.releaseLease(lease)
      if (result !== undefined) await good.completeLease({ ...lease, lifetime: 0, result })
    },
  }),
  "leases whose keys differ by case or by a space are different leases": (good) => ({
    acquireLease: (lease) => good.acquireLease({ ...lease, key: lease.key.trimEnd() }),
    completeLease: (lease) => good.completeLease({ ...lease, key: lease.key.trimEnd() }),
    releaseLease: (lease) => good.releaseLease({ ...lease, key: lease.key.trimEnd() }),
  }),
  "another adapter sees a lease as held, and gets its result": (good) => ({
    second: { ...good, acquireLease: async () => grantedResult },
  }),
  "acquireLease, interrupted, can be repeated by the same holder": (good) => {
    const known = new Map<string, string>()
    const withKnownHolder = <Request extends LeaseRequest>(lease: Request): Request => ({
      ...lease,
      holder: known.get(createAttemptKey(lease)) ?? lease.holder,
    })
    return {
      // Generates a holder for each attempt, and remembers the successful one.
      acquireLease: async (lease) => {
        const holder = known.get(createAttemptKey(lease)) ?? crypto.randomUUID()
        const result = await good.acquireLease({ ...lease, holder })
        if (result.state === "granted") known.set(createAttemptKey(lease), holder)
        return result
      },
      completeLease: (lease) => good.completeLease(withKnownHolder(lease)),
      releaseLease: (lease) => good.releaseLease(withKnownHolder(lease)),
    }
  },
  "acquireLease, interrupted, never has two holders": (good) => ({
    acquireLease: (lease) => hideConnectionLoss(() => good.acquireLease(lease), grantedResult),
  }),
  [`completeLease, ${interruptionCase}`]: (good) => ({
    completeLease: (lease) => hideConnectionLoss(() => good.completeLease(lease), true),
  }),
  [`releaseLease, ${interruptionCase}`]: (good) => ({
    releaseLease: (lease) => hideConnectionLoss(() => good.releaseLease(lease), undefined),
  }),
}

/** Reads first and writes afterwards. */
const checkBeforeAcquire: Flaw = (good, db) => ({
  acquireLease: async (lease) => {
    const isFree = db.lease(lease) === undefined
    await waitBriefly()
    const result = await good.acquireLease(lease)
    return isFree ? grantedResult : result
  },
})

export const leaseRaceFlaws: Readonly<Record<string, Flaw>> = {
  'of 64 concurrent requests for a lease, one is granted it and the others get "held"':
    checkBeforeAcquire,
  "of 64 concurrent requests for an expired lease, with or without a result, one is granted it":
    checkBeforeAcquire,
}
