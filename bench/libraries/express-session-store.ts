/** Stores sessions of express-session, and users, in SQLite. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type SessionData, Store } from "express-session"
import { testUser } from "../test-user.ts"

/** Finds users by id. */
export type FindUser = (id: string) => typeof testUser | undefined

/** Opens a database with one user. */
export function openSessionStore(folder: string): { store: Store; people: FindUser } {
  const database = new DatabaseSync(join(folder, "express-session.db"))
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = off;
    create table sessions (id text primary key, data text not null, expires integer not null);
    create table people (id text primary key, name text, email text, image text);
  `)
  const { id, name, email, image } = testUser
  database.prepare("insert into people values (?, ?, ?, ?)").run(id, name, email, image)
  const select = database.prepare("select id, name, email, image from people where id = ?")
  return {
    store: new SqliteSessionStore(database),
    // The columns of the row above.
    people: (id) => select.get(id) as typeof testUser | undefined,
  }
}

/** A session store that does not write if a session is only read. */
class SqliteSessionStore extends Store {
  readonly #select
  readonly #upsert
  readonly #delete

  constructor(database: DatabaseSync) {
    super()
    this.#select = database.prepare("select data from sessions where id = ? and expires > ?")
    this.#upsert = database.prepare("insert or replace into sessions values (?, ?, ?)")
    this.#delete = database.prepare("delete from sessions where id = ?")
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const row = this.#select.get(id, Date.now())
    done(null, row ? JSON.parse(String(row["data"])) : null)
  }

  override set(id: string, session: SessionData, done?: (error?: unknown) => void): void {
    const expires = Date.now() + (session.cookie.maxAge ?? 86_400_000)
    this.#upsert.run(id, JSON.stringify(session), expires)
    done?.()
  }

  override destroy(id: string, done?: (error?: unknown) => void): void {
    this.#delete.run(id)
    done?.()
  }
}
