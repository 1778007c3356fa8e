import type { FactorStore } from "@latchkey/core/adapters"
import type { FactorEntity } from "../entities/entity-types.ts"
import { MikroOrmError } from "../errors.ts"
import { toEntityData } from "../record-conversion.ts"
import { freshReadOptions, type Store } from "../store.ts"
import { isLookupText } from "../value-checks.ts"
import { insertRow } from "./insert-row.ts"

/** Creates the methods for second factors. */
export function createFactorMethods(store: Store): Required<FactorStore> {
  const { LatchkeyFactor } = store.entities
  const name = "LatchkeyFactor"
  return {
    async createFactor(factor) {
      const data = toEntityData(store, name, factor)
      const operation = "createFactor"
      await store.run(operation, async (em) => {
        const entity = em.create(LatchkeyFactor, data, { persist: false })
        if (!(await insertRow(em, entity))) throw new MikroOrmError("duplicate", { operation })
      })
    },
    async listFactors(userId) {
      if (!isLookupText(userId)) return []
      const options = { ...freshReadOptions, orderBy: { createdAt: "asc", id: "asc" } } as const
      const found = await store.run("listFactors", (em) =>
        em.find(LatchkeyFactor, { userId }, options),
      )
      return found.map(toFactor)
    },
    async updateFactor({ id, version, data }) {
      const values = toEntityData(store, name, { version: version + 1, data })
      if (!isLookupText(id)) return false
      const count = await store.run("updateFactor", (em) =>
        em.nativeUpdate(LatchkeyFactor, { id, version }, values),
      )
      return count > 0
    },
    async deleteFactor(id) {
      if (!isLookupText(id)) return false
      const count = await store.run("deleteFactor", (em) => em.nativeDelete(LatchkeyFactor, { id }))
      return count > 0
    },
  }
}

function toFactor({ id, userId, method, createdAt, version, data }: FactorEntity) {
  return { id, userId, method, createdAt, version, data }
}
