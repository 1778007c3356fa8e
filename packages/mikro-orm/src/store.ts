import type { EntityManager, EntityProperty, MikroORM } from "@mikro-orm/core"
import type { EntitySchemas, EntityTypes } from "./entities/entity-types.ts"
import { toMikroOrmError } from "./errors.ts"
import { createSqlModeCheck } from "./sql-mode-check.ts"
import { runInTransaction } from "./transaction.ts"

/** A database with Latchkey's entities. */
export interface Store {
  readonly orm: MikroORM
  readonly entities: EntitySchemas
  /**
   * Runs work in an EntityManager of its own: it caches nothing between calls, and flushes none of the application's
   * changes. Rejects with a `MikroOrmError`.
   */
  run<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
  /** Runs work in a transaction, and flushes its changes. */
  write<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
}

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

/** Returns the properties that are columns of values, including those of the application. */
export function scalarProperties<Name extends keyof EntityTypes>(
  { orm, entities }: Pick<Store, "entities" | "orm">,
  name: Name,
): readonly EntityProperty[] {
  const { props } = orm.getMetadata().get<EntityTypes[Name]>(entities[name])
  return props.filter(({ kind, persist }) => kind === "scalar" && persist !== false)
}

/** Caches and replicas may be stale: a session that has ended would still be valid. */
export const freshReadOptions = { cache: false, connectionType: "write" } as const
