import type { EntityManager, EntityProperty, MikroORM } from "@mikro-orm/core"
import type { Schemas, Shapes } from "./entities/types.ts"
import { explained } from "./errors.ts"
import { quotingCheck } from "./quoting.ts"
import { inTransaction } from "./transaction.ts"

/** A database, with our entities in it. */
export interface Store {
  readonly orm: MikroORM
  readonly entities: Schemas
  /**
   * Does something in an EntityManager of its own: nothing is remembered from one call to the next, and nothing of
   * the application's own work is written along. Rejects with a `MikroOrmError`.
   */
  run<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
  /** Does something likewise, all or nothing, and then writes what was made or changed. */
  write<Result>(operation: string, work: (em: EntityManager) => Promise<Result>): Promise<Result>
}

/** Describes how our entities are used. */
export function createStore(orm: MikroORM, entities: Schemas): Store {
  const check = quotingCheck(orm)
  const run: Store["run"] = async (operation, work) => {
    try {
      await check(operation)
      return await work(orm.em.fork())
    } catch (error) {
      throw explained(operation, error)
    }
  }
  const write: Store["write"] = (operation, work) =>
    run(operation, (em) =>
      inTransaction(em, async () => {
        const result = await work(em)
        await em.flush()
        return result
      }),
    )
  return { orm, entities, run, write }
}

/** The properties of an entity that are columns of values, those of the application included. */
export function scalars<Name extends keyof Shapes>(
  { orm, entities }: Pick<Store, "entities" | "orm">,
  name: Name,
): readonly EntityProperty[] {
  const { props } = orm.getMetadata().get<Shapes[Name]>(entities[name])
  return props.filter(({ kind, persist }) => kind === "scalar" && persist !== false)
}

/** An answer that was kept, or a replica, which is behind, would let in who has signed out. */
export const fresh = { cache: false, connectionType: "write" } as const
