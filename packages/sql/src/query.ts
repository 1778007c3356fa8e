import { type Compilable, type RawBuilder, sql } from "kysely"
import type { Statement } from "./engine.ts"

/** What the placeholders of a statement stand for, by name. */
export type Values = Readonly<Record<string, unknown>>

/** A statement that was compiled once and is run with different values. */
export interface Template {
  readonly sql: string
  readonly returnsRows: boolean
  /** A name for each placeholder, or the value that always stands there. */
  readonly parameters: readonly unknown[]
}

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Stands in a query for the value of that name. */
export function slot(name: string): RawBuilder<unknown> {
  return sql`${new Slot(name)}`
}

/** Compiles a query. */
export function compile(query: Compilable): Template {
  const { query: node, sql: text, parameters } = query.compile()
  const reads = node.kind === "SelectQueryNode"
  return {
    sql: text,
    parameters,
    returnsRows: reads || ("returning" in node && node.returning !== undefined),
  }
}

/** Puts values into the slots of a statement. */
export function bind({ sql, returnsRows, parameters }: Template, values: Values): Statement {
  const bound = parameters.map((parameter) =>
    parameter instanceof Slot ? (values[parameter.name] ?? null) : parameter,
  )
  return { sql, returnsRows, parameters: bound }
}
