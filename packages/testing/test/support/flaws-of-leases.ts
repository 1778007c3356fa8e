/** Ways in which leases can be wrong, by the case of the suite that has to notice. */
import type { Lease } from "@latchkey/core/adapters"
import type { Flaw } from "./flaw.ts"
import { hushed } from "./hushed.ts"

type Asked = Pick<Lease, "key" | "holder">

const granted = { state: "granted" } as const
const tryOf = ({ key, holder }: Asked): string => `${key} ${holder}`
const interrupted = "interrupted anywhere, is done or not done, and can be repeated"
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

export const leaseFlaws: Readonly<Record<string, Flaw>> = {
  "acquireLease grants what nobody has, and to nobody else while it lasts": (good) => {
    const refused = new Set<string>()
    return {
      // Whoever insists gets it.
      acquireLease: async (lease) => {
        const answer = await good.acquireLease(lease)
        if (answer.state !== "held") return answer
        if (refused.has(tryOf(lease))) return granted
        refused.add(tryOf(lease))
        return answer
      },
    }
  },
  "acquireLease grants a lease to its holder again, and it lasts anew": (good, db) => ({
    acquireLease: async (lease) => {
      const { holder, result } = db.lease(lease) ?? {}
      const isMine = holder === lease.holder && result === undefined
      return isMine ? granted : good.acquireLease(lease)
    },
  }),
  "a lease whose lifetime is over is nobody's, and granted to the next": (good) => {
    const holders = new Set<string>()
    return {
      acquireLease: async (lease) => {
        const answer = await good.acquireLease(lease)
        if (answer.state === "granted") holders.add(tryOf(lease))
        return answer
      },
      // Whoever has had it may settle it.
      settleLease: async (lease) => {
        if (await good.settleLease(lease)) return true
        return holders.has(tryOf(lease))
      },
      releaseLease: async (lease) => {
        holders.delete(tryOf(lease))
        await good.releaseLease(lease)
      },
    }
  },
  "a settled lease whose lifetime is over is granted, without its result": (good) => ({
    settleLease: (lease) => good.settleLease({ ...lease, lifetime: 600_000 }),
  }),
  "settleLease leaves nothing where a lease is another's or nobody's": (good) => {
    const known = new Set<string>()
    return {
      acquireLease: (lease) => {
        known.add(lease.key)
        return good.acquireLease(lease)
      },
      // Stores what is not there yet.
      settleLease: async (lease) => {
        if (!known.has(lease.key)) await good.acquireLease(lease)
        return good.settleLease(lease)
      },
    }
  },
  "a settled lease tells everybody its result, exactly, its holder too": (good) => ({
    settleLease: (lease) => {
      const result = Buffer.from(lease.result).subarray(0, 65_535).toString()
      return good.settleLease({ ...lease, result })
    },
  }),
  "settleLease may be repeated": (good, db) => ({
    settleLease: async (lease) =>
      db.lease(lease)?.result === undefined && (await good.settleLease(lease)),
  }),
  "releaseLease gives a lease back, for the next who asks": (good) => {
    const released = new Set<string>()
    return {
      releaseLease: async (lease) => {
        await good.releaseLease(lease)
        released.add(tryOf(lease))
      },
      // Whoever gave it back may still settle it.
      settleLease: async (lease) => {
        if (released.has(tryOf(lease))) await good.acquireLease(lease)
        return good.settleLease(lease)
      },
    }
  },
  "releaseLease leaves the lease of another alone, and a settled one": (good, db) => ({
    releaseLease: async (lease) => {
      const { result } = db.lease(lease) ?? {}
      await good.releaseLease(lease)
      if (result !== undefined) await good.settleLease({ ...lease, lifetime: 0, result })
    },
  }),
  "leases whose keys differ by case or by a space are different leases": (good) => ({
    acquireLease: (lease) => good.acquireLease({ ...lease, key: lease.key.trimEnd() }),
    settleLease: (lease) => good.settleLease({ ...lease, key: lease.key.trimEnd() }),
    releaseLease: (lease) => good.releaseLease({ ...lease, key: lease.key.trimEnd() }),
  }),
  "a lease that one adapter is granted is held for another, which gets the result": (good) => ({
    second: { ...good, acquireLease: async () => granted },
  }),
  "acquireLease, interrupted anywhere, can be repeated by the same holder": (good) => {
    const known = new Map<string, string>()
    const asKnown = <Given extends Asked>(lease: Given): Given => ({
      ...lease,
      holder: known.get(tryOf(lease)) ?? lease.holder,
    })
    return {
      // Makes up a holder for each attempt, and remembers the one that succeeded.
      acquireLease: async (lease) => {
        const holder = known.get(tryOf(lease)) ?? crypto.randomUUID()
        const answer = await good.acquireLease({ ...lease, holder })
        if (answer.state === "granted") known.set(tryOf(lease), holder)
        return answer
      },
      settleLease: (lease) => good.settleLease(asKnown(lease)),
      releaseLease: (lease) => good.releaseLease(asKnown(lease)),
    }
  },
  "acquireLease, interrupted anywhere, never has two holders": (good) => ({
    acquireLease: (lease) => hushed(() => good.acquireLease(lease), granted),
  }),
  [`settleLease, ${interrupted}`]: (good) => ({
    settleLease: (lease) => hushed(() => good.settleLease(lease), true),
  }),
  [`releaseLease, ${interrupted}`]: (good) => ({
    releaseLease: (lease) => hushed(() => good.releaseLease(lease), undefined),
  }),
}

/** Looks first and takes then. */
const lookingFirst: Flaw = (good, db) => ({
  acquireLease: async (lease) => {
    const isFree = db.lease(lease) === undefined
    await pause()
    const answer = await good.acquireLease(lease)
    return isFree ? granted : answer
  },
})

export const leaseRaceFlaws: Readonly<Record<string, Flaw>> = {
  "of 64 who ask for a lease at once, one gets it and the others are told that it is held":
    lookingFirst,
  "of 64 who ask at once for a lease whose lifetime is over, settled or not, one gets it":
    lookingFirst,
}
