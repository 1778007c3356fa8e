import type { Statement, StatementResult } from "./engine.ts"

/** Stands among the parameters of a statement for the id of the row that an earlier one of its transaction stored. */
export class InsertedIdReference {
  /** Position of that statement. */
  readonly statementIndex: number

  constructor(position: number) {
    this.statementIndex = position
  }
}

/** Puts the ids of rows that were stored meanwhile into a statement. */
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

/** The id that the database gave to the row that a statement stored. */
export function getInsertedId(result: StatementResult | undefined): unknown {
  return result?.rows[0]?.["id"] ?? result?.insertedId ?? null
}

/** Runs statements one after the other, each after what the earlier ones stored. */
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
