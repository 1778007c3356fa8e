/** The notes in journals. */
import type { DatabaseSync } from "node:sqlite"

export interface Note {
  readonly id: number
  readonly writtenAt: Date
  readonly text: string
}

export interface NoteStore {
  /** Returns the newest first. */
  listByUser(userId: string): readonly Note[]
  add(userId: string, text: string): void
  /** Removes a note if it belongs to this user. */
  remove(userId: string, id: number): void
}

/** Characters of a note. */
export const maxNoteLength = 500
/** Notes on a page. */
const maxNotes = 100

export function createNoteStore(database: DatabaseSync): NoteStore {
  const select = database.prepare(
    `select id, writtenAt, text from note where userId = ? order by id desc limit ${maxNotes}`,
  )
  const insert = database.prepare("insert into note (userId, writtenAt, text) values (?, ?, ?)")
  const remove = database.prepare("delete from note where userId = ? and id = ?")
  return {
    listByUser: (userId) =>
      select.all(userId).map(({ id, writtenAt, text }) => ({
        id: Number(id),
        writtenAt: new Date(Number(writtenAt)),
        text: String(text),
      })),
    add(userId, text) {
      insert.run(userId, Date.now(), text)
    },
    remove(userId, id) {
      remove.run(userId, id)
    },
  }
}

/** Returns a note without control characters except line breaks; empty if nothing is left. */
export function normalizeNote(typed: unknown): string {
  if (typeof typed !== "string") return ""
  const lines = typed.normalize("NFC").replace(/\r\n?/g, "\n")
  return lines
    .replace(/[^\P{Cc}\n]/gu, "")
    .trim()
    .slice(0, maxNoteLength)
}
