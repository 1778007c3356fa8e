import { type EntityManager, UniqueConstraintViolationException } from "@mikro-orm/core"

/** Inserts a row. Returns false if its key exists. */
export async function insertRow(em: EntityManager, entity: object): Promise<boolean> {
  try {
    await em.insert(entity)
    return true
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return false
    throw error
  }
}
