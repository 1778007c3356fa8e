import type { Result, Statement } from "./engine.ts"

/** Stands among the parameters of a statement for the id of the row that an earlier one of its transaction stored. */
export class Earlier {
  /** Position of that statement. */
  readonly position: number

  constructor(position: number) {
    this.position = position
  }
}

/** Puts the ids of rows that were stored meanwhile into a statement. */
export function afterEarlier(statement: Statement, results: readonly Result[]): Statement {
  const { parameters } = statement
  if (!parameters.some((parameter) => parameter instanceof Earlier)) return statement
  return { ...statement, parameters: parameters.map((parameter) => idIn(parameter, results)) }
}

function idIn(parameter: unknown, results: readonly Result[]): unknown {
  return parameter instanceof Earlier ? storedId(results[parameter.position]) : parameter
}

/** The id that the database gave to the row that a statement stored. */
export function storedId(result: Result | undefined): unknown {
  return result?.rows[0]?.["id"] ?? result?.insertedId ?? null
}

/** Runs statements one after the other, each after what the earlier ones stored. */
export async function oneByOne(
  statements: readonly Statement[],
  execute: (statement: Statement) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const statement of statements) {
    results.push(await execute(afterEarlier(statement, results)))
  }
  return results
}
