import type { EntityManager, EntityProperty, MikroORM } from "@mikro-orm/core"
import type { EntitySchemas, EntityTypes } from "./entities/entity-types.ts"
import { toMikroOrmError } from "./errors.ts"
import { createSqlModeCheck } from "./sql-mode-check.ts"
import { runInTransaction } from "./transaction.ts"

/** A database, with our entities in it. */
export interface Store {
  readonly orm: MikroORM
  readonly entities: EntitySchemas
  /**
   * Does something in an EntityManager of its own: nothing is remembered from one call to the next, and nothing of
   * the application's own work is written along. Rejects with a `MikroOrmError`.
   */
  run<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
  /** Does something likewise, all or nothing, and then writes what was made or changed. */
  write<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
}

/** Describes how our entities are used. */
export function createStore(orm: MikroORM, entities: EntitySchemas): Store {
  const check = createSqlModeCheck(orm)
  const run: Store["run"] = async (operation, work) => {
    try {
      await check(operation)
      return await work(orm.em.fork())
    } catch (error) {
      throw toMikroOrmError(operation, error)
    }
  }
  const write: Store["write"] = (operation, work) =>
    run(operation, (em) =>
      runInTransaction(em, async () => {
        const result = await work(em)
        await em.flush()
        return result
      }),
    )
  return { orm, entities, run, write }
}

/** The properties of an entity that are columns of values, those of the application included. */
export function scalarProperties<Name extends keyof EntityTypes>(
  { orm, entities }: Pick<Store, "entities" | "orm">,
  name: Name,
): readonly EntityProperty[] {
  const { props } = orm.getMetadata().get<EntityTypes[Name]>(entities[name])
  return props.filter(({ kind, persist }) => kind === "scalar" && persist !== false)
}

/** An answer that was kept, or a replica, which is behind, would let in who has signed out. */
export const freshReadOptions = { cache: false, connectionType: "write" } as const
