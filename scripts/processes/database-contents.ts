/** Reads all users, accounts and sessions from a database of the application. */
import { runProgram } from "../applications/command.ts"

export interface DatabaseContents {
  readonly users: readonly { readonly id: string; readonly email: string }[]
  readonly accounts: readonly {
    readonly userId: string
    readonly provider: string
    readonly providerAccountId: string
  }[]
  readonly sessions: readonly { readonly sessionToken: string; readonly userId: string }[]
}

/** Reads them with the application's own drivers, in the folder of the built application. */
export async function readDatabaseContents(
  databaseUrl: string,
  folder: string,
): Promise<DatabaseContents> {
  const env = { DATABASE_URL: databaseUrl }
  return JSON.parse(
    await runProgram(process.execPath, ["database-contents.mjs"], { cwd: folder, env }),
  )
}
