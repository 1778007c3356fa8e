import { type Compilable, Kysely } from "kysely"
import type { Codecs, Engine, Result, Statement } from "./engine.ts"
import { SqlError } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { bind, compile, type Template, type Values } from "./query.ts"
import { tableNames } from "./schema/table-names.ts"
import type { TableNames, Tables } from "./schema/tables.ts"
import type { UserFields } from "./schema/user-fields.ts"

/** Builds queries. Nothing is executed through it. */
export type Query = Kysely<Tables>

/** A database with our tables in it. */
export interface Store {
  readonly engine: Engine
  readonly codecs: Codecs
  readonly query: Query
  readonly names: TableNames
  readonly userFields: UserFields
  /** Runs a statement. Rejects with an `SqlError`. */
  run(operation: string, statement: Statement): Promise<Result>
  /** Runs all statements or none. Rejects with an `SqlError`. */
  transaction(operation: string, statements: readonly Statement[]): Promise<readonly Result[]>
}

/**
 * Describes how the tables of a database are used.
 * @param prepare done once before the first statement, and again before the next one if it fails
 */
export function createStore(
  engine: Engine,
  options: ResolvedOptions,
  prepare?: () => Promise<unknown>,
): Store {
  const { codecs, kysely, diagnose } = engine.dialect
  const ready = prepare && once(prepare)

  async function explained<Value>(operation: string, work: () => Value): Promise<Awaited<Value>> {
    if (ready) await ready()
    try {
      return await work()
    } catch (error) {
      const { code, detail } = diagnose(error)
      throw new SqlError(code, { operation, detail, cause: error })
    }
  }

  return {
    engine,
    codecs,
    names: options.names,
    userFields: options.userFields,
    query: new Kysely<Tables>({ dialect: kysely, plugins: [tableNames(options.names)] }),
    run: (operation, statement) => explained(operation, () => engine.execute(statement)),
    transaction: (operation, batch) => explained(operation, () => engine.transaction(batch)),
  }
}

function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}

/** Compiles a query when it is first needed; then only its values change. */
export function prepared(
  store: Store,
  operation: string,
  build: (query: Query) => Compilable,
): (values: Values) => Promise<Result> {
  const template = templateOf(store, build)
  return (values) => store.run(operation, bind(template(), values))
}

/** A query that is compiled when it is first needed. */
export function templateOf(store: Store, build: (query: Query) => Compilable): () => Template {
  let template: Template | undefined
  return () => {
    template ??= compile(build(store.query))
    return template
  }
}
