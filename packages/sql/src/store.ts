import type { UserFields } from "@latchkey/adapter-kit"
import { type Compilable, Kysely } from "kysely"
import type { Dialect, Engine, Statement, StatementResult } from "./engine.ts"
import { SqlError } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { type Columns, createColumns } from "./schema/columns.ts"
import { idCodecs, type StoreCodecs } from "./schema/id-codecs.ts"
import type { SchemaLayout } from "./schema/layout.ts"
import { createTableRenamePlugin } from "./schema/table-rename-plugin.ts"
import type { KyselyTables } from "./schema/tables.ts"
import {
  bindParameters,
  compileQuery,
  type ParameterValues,
  type StatementTemplate,
} from "./statement-template.ts"

/** Builds queries. Nothing is executed through it. */
export type QueryBuilder = Kysely<KyselyTables>

/** A database with Latchkey's tables. */
export interface Store {
  readonly engine: Engine
  readonly codecs: StoreCodecs
  readonly query: QueryBuilder
  readonly columns: Columns
  readonly layout: SchemaLayout
  readonly userFields: UserFields
  readonly sessionRecords: boolean
  readonly secondFactor: boolean
  /** Runs a statement. Rejects with an `SqlError`. */
  run(operation: string, statement: Statement): Promise<StatementResult>
  /** Runs all statements or none. Rejects with an `SqlError`. */
  transaction(
    operation: string,
    statements: readonly Statement[],
  ): Promise<readonly StatementResult[]>
  /** Runs work that sends statements by itself. Rejects with an `SqlError`. */
  wrapErrors<Value>(operation: string, work: () => Value): Promise<Awaited<Value>>
}

/**
 * Creates the access to a database's tables.
 * @param prepare runs once before the first statement, and again before the next one if it fails
 * @param onFirstSuccess called once, after the first statement
 */
export function createStore(
  engine: Engine,
  options: ResolvedOptions,
  prepare?: () => Promise<unknown>,
  onFirstSuccess?: () => void,
): Store {
  const { dialect } = engine
  const { layout, userFields, sessionRecords, secondFactor } = options
  const ensurePrepared = prepare && runOnce(prepare)
  let onSuccess = onFirstSuccess

  async function wrapErrors<Value>(operation: string, work: () => Value): Promise<Awaited<Value>> {
    if (ensurePrepared) await ensurePrepared()
    try {
      const result = work()
      // SQLite returns at once. Awaiting it would slow down session checks.
      const value = isPromiseLike(result) ? await result : (result as Awaited<Value>)
      const notify = onSuccess
      onSuccess = undefined
      notify?.()
      return value
    } catch (error) {
      throw toSqlError(dialect, operation, error)
    }
  }

  return {
    engine,
    layout,
    userFields,
    sessionRecords,
    secondFactor,
    wrapErrors,
    codecs: { ...dialect.codecs, id: idCodecs[options.ids] },
    columns: createColumns(dialect, layout, userFields),
    query: new Kysely<KyselyTables>({
      dialect: dialect.kysely,
      plugins: [createTableRenamePlugin(layout.tables)],
    }),
    run: (operation, statement) => wrapErrors(operation, () => engine.execute(statement)),
    transaction: (operation, batch) => wrapErrors(operation, () => engine.transaction(batch)),
  }
}

function isPromiseLike(value: unknown): boolean {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === "function"
}

/** Converts a driver's error. */
export function toSqlError(
  { diagnoseError }: Dialect,
  operation: string,
  error: unknown,
): SqlError {
  const { code, detail, cause } = diagnoseError(error)
  return new SqlError(code, { operation, detail, cause: cause ?? error })
}

/** Returns a function that runs work once, and again with the next call if it failed. */
export function runOnce<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}

/** Prepares a statement, which is compiled on first use. */
export function prepareStatement(
  store: Store,
  operation: string,
  build: (query: QueryBuilder) => Compilable,
): (values: ParameterValues) => Promise<StatementResult> {
  const template = createLazyTemplate(store, build)
  return (values) => store.run(operation, bindParameters(template(), values))
}

/** Returns a function that compiles a query on first use. */
export function createLazyTemplate(
  store: Store,
  build: (query: QueryBuilder) => Compilable,
): () => StatementTemplate {
  let template: StatementTemplate | undefined
  return () => {
    template ??= compileQuery(build(store.query))
    return template
  }
}
