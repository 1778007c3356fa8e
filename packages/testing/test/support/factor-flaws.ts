/** Flaws of second factors, by the case of the suite that must detect them. */
import type { Flaw } from "./flaw.ts"

export const factorFlaws: Readonly<Record<string, Flaw>> = {
  "listFactors returns the factors of one user unchanged, the oldest first": (good) => ({
    // The column is too short.
    listFactors: async (userId) =>
      (await good.listFactors(userId)).map((each) => ({ ...each, data: each.data.slice(0, 255) })),
  }),
  "createFactor refuses an id that exists": (good) => ({
    createFactor: async (factor) => Promise.resolve(good.createFactor(factor)).catch(() => {}),
  }),
  "updateFactor replaces the data of the given version, and of no other": (good) => ({
    // Accepts the version before the current one, too.
    updateFactor: async (factor) =>
      (await good.updateFactor(factor)) ||
      (await good.updateFactor({ ...factor, version: factor.version + 1 })),
  }),
  "deleteFactor deletes one factor, once": (good) => ({
    deleteFactor: async (id) => {
      await good.deleteFactor(id)
      return true
    },
  }),
  "deleteUser deletes the factors of the user, and of nobody else": (good) => ({
    deleteUser: async (id): Promise<void> => {
      const factors = await good.listFactors(id)
      await good.deleteUser(id)
      for (const factor of factors) await good.createFactor(factor)
    },
  }),
}

export const factorRaceFlaws: Readonly<Record<string, Flaw>> = {
  "of 64 concurrent calls of updateFactor of one version, exactly one returns true": (good) => ({
    updateFactor: async (factor) => {
      await good.updateFactor(factor)
      return true
    },
  }),
  "of 64 concurrent calls of deleteFactor, exactly one returns true": (good) => ({
    deleteFactor: async (id) => {
      await good.deleteFactor(id)
      return true
    },
  }),
}
