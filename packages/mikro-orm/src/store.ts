import type { EntityManager, EntityProperty, ForkOptions, MikroORM } from "@mikro-orm/core"
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
  /**
   * Runs work for all requests of the process: the schema, filters and database session of a `RequestContext`, which may
   * be those of one tenant, do not apply. Rejects with a `MikroOrmError`.
   */
  runForAll<Result>(
    operation: string,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Result>
  /** Runs work in a transaction, and flushes its changes. */
  write<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
}

export function createStore(orm: MikroORM, entities: EntitySchemas): Store {
  const check = createSqlModeCheck(orm)
  const createRunner =
    (options: ForkOptions): Store["run"] =>
    async (operation, work) => {
      try {
        await check(operation)
        // Not the signal of the application's `RequestContext`: other requests may wait for the work.
        const { signal } = new AbortController()
        return await work(orm.em.fork({ ...options, signal }))
      } catch (error) {
        throw toMikroOrmError(operation, error)
      }
    }
  const run = createRunner({})
  const runForAll = createRunner({ disableContextResolution: true })
  const write: Store["write"] = (operation, work) =>
    run(operation, (em) =>
      runInTransaction(em, async () => {
        const result = await work(em)
        await em.flush()
        return result
      }),
    )
  return { orm, entities, run, runForAll, write }
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
