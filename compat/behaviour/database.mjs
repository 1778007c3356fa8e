/** `node database.mjs <file>`: creates the database of the tests, with users who have a password and no other account. */
import { migrate } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

const database = openSqlite(process.argv[2])
await migrate(database, { sessionRecords: true })
const insert = database.prepare('insert into "User" ("id", "name", "email") values (?, ?, ?)')
for (const name of ["Ann", "Pia", "Big"]) {
  const email = `${name.toLowerCase()}@example.com`
  insert.run(email, name, email)
}
database.close()
