import { type Compilable, type RawBuilder, sql } from "kysely"
import type { Statement } from "./engine.ts"

/** Values of placeholders, by name. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** A statement that is compiled once and run with different values. */
export interface StatementTemplate {
  readonly sql: string
  readonly returnsRows: boolean
  /** For each placeholder, its name or a constant value. */
  readonly parameters: readonly unknown[]
}

class NamedParameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Creates a placeholder for the value of that name. */
export function namedParameter(name: string): RawBuilder<unknown> {
  return sql`${new NamedParameter(name)}`
}

/** Compiles a query. */
export function compileQuery(query: Compilable): StatementTemplate {
  const { query: node, sql: text, parameters } = query.compile()
  const isSelect = node.kind === "SelectQueryNode"
  return {
    sql: text,
    parameters,
    returnsRows: isSelect || ("returning" in node && node.returning !== undefined),
  }
}

/** Fills in the placeholders of a statement. */
export function bindParameters(
  { sql, returnsRows, parameters }: StatementTemplate,
  values: ParameterValues,
): Statement {
  const bound = parameters.map((parameter) =>
    parameter instanceof NamedParameter ? (values[parameter.name] ?? null) : parameter,
  )
  return { sql, returnsRows, parameters: bound }
}
