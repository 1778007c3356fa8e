/** The SQLite database with the tables of Latchkey and the application. */
import type { DatabaseSync } from "node:sqlite"
import { migrate } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"

/** Opens the file and creates missing tables. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const database = openSqlite(file)
  await migrate(database, { sessionRecords: true, secondFactor: true })
  database.exec(`
    create table if not exists password (
      userId text primary key references User (id) on delete cascade,
      username text not null unique,
      hash text not null
    ) strict;
    create table if not exists note (
      id integer primary key,
      userId text not null references User (id) on delete cascade,
      writtenAt integer not null,
      text text not null
    ) strict;
    create index if not exists note_userId on note (userId, writtenAt);
  `)
  return database
}
