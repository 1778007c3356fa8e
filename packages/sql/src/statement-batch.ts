import type { Statement, StatementResult } from "./engine.ts"

/** A statement parameter: the id of the row that an earlier statement of the same transaction inserted. */
export class InsertedIdReference {
  /** Position of that statement. */
  readonly statementIndex: number

  constructor(position: number) {
    this.statementIndex = position
  }
}

/** Replaces references to inserted rows with their ids. */
export function resolveInsertedIds(
  statement: Statement,
  results: readonly StatementResult[],
): Statement {
  const { parameters } = statement
  if (!parameters.some((parameter) => parameter instanceof InsertedIdReference)) return statement
  return {
    ...statement,
    parameters: parameters.map((parameter) => resolveParameter(parameter, results)),
  }
}

function resolveParameter(parameter: unknown, results: readonly StatementResult[]): unknown {
  return parameter instanceof InsertedIdReference
    ? getInsertedId(results[parameter.statementIndex])
    : parameter
}

/** Returns the id that the database assigned to the inserted row. */
export function getInsertedId(result: StatementResult | undefined): unknown {
  return result?.rows[0]?.["id"] ?? result?.insertedId ?? null
}

/** Runs statements in order, each with the ids that earlier ones inserted. */
export async function executeInOrder(
  statements: readonly Statement[],
  execute: (statement: Statement) => Promise<StatementResult>,
): Promise<readonly StatementResult[]> {
  const results: StatementResult[] = []
  for (const statement of statements) {
    results.push(await execute(resolveInsertedIds(statement, results)))
  }
  return results
}
