import { type Compilable, Kysely } from "kysely"
import type { Dialect, Engine, Result, Statement } from "./engine.ts"
import { SqlError } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { bind, compile, type Template, type Values } from "./query.ts"
import { type Columns, createColumns } from "./schema/columns.ts"
import { idCodecs, type StoreCodecs } from "./schema/ids.ts"
import type { Layout } from "./schema/layout.ts"
import { tableNames } from "./schema/table-names.ts"
import type { Tables } from "./schema/tables.ts"
import type { UserFields } from "./schema/user-fields.ts"

/** Builds queries. Nothing is executed through it. */
export type Query = Kysely<Tables>

/** A database with our tables in it. */
export interface Store {
  readonly engine: Engine
  readonly codecs: StoreCodecs
  readonly query: Query
  readonly columns: Columns
  readonly layout: Layout
  readonly userFields: UserFields
  /** Runs a statement. Rejects with an `SqlError`. */
  run(operation: string, statement: Statement): Promise<Result>
  /** Runs all statements or none. Rejects with an `SqlError`. */
  transaction(operation: string, statements: readonly Statement[]): Promise<readonly Result[]>
  /** Does some work that sends statements by itself. Rejects with an `SqlError`. */
  explained<Value>(operation: string, work: () => Value): Promise<Awaited<Value>>
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
  const { dialect } = engine
  const { layout, userFields } = options
  const ready = prepare && once(prepare)

  async function explained<Value>(operation: string, work: () => Value): Promise<Awaited<Value>> {
    if (ready) await ready()
    try {
      const done = work()
      // SQLite is done at once, and a turn of waiting for it would be felt in a session check.
      return isLater(done) ? await done : (done as Awaited<Value>)
    } catch (error) {
      throw explanation(dialect, operation, error)
    }
  }

  return {
    engine,
    layout,
    userFields,
    explained,
    codecs: { ...dialect.codecs, id: idCodecs[options.ids] },
    columns: createColumns(dialect, layout, userFields),
    query: new Kysely<Tables>({ dialect: dialect.kysely, plugins: [tableNames(layout.tables)] }),
    run: (operation, statement) => explained(operation, () => engine.execute(statement)),
    transaction: (operation, batch) => explained(operation, () => engine.transaction(batch)),
  }
}

function isLater(done: unknown): boolean {
  return typeof (done as Partial<PromiseLike<unknown>> | null | undefined)?.then === "function"
}

function explanation({ diagnose }: Dialect, operation: string, error: unknown): SqlError {
  const { code, detail, cause } = diagnose(error)
  return new SqlError(code, { operation, detail, cause: cause ?? error })
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
