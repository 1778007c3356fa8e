/** A step of `migrate` that no version has yet. */
import { createConnection } from "mysql2/promise"
import { Client } from "pg"

/** Changes a database as a later minor version would: adds a column, and records the step. Redis has no steps. */
export async function applyLaterStep(databaseUrl: string): Promise<void> {
  const { protocol } = new URL(databaseUrl)
  if (protocol.startsWith("postgres")) {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('alter table "Session" add column "later" text')
    await client.query(`insert into "LatchkeyMigration" values (999, 'later', now())`)
    await client.end()
  } else if (protocol.startsWith("mysql") || protocol.startsWith("mariadb")) {
    const connection = await createConnection({ uri: databaseUrl })
    await connection.query("alter table `Session` add column `later` text")
    await connection.query("insert into `LatchkeyMigration` values (999, 'later', now())")
    await connection.end()
  }
}
