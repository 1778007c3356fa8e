/** What people write into their journals. */
import type { DatabaseSync } from "node:sqlite"

/** One note. */
export interface Note {
  readonly id: number
  readonly writtenAt: Date
  readonly text: string
}

export interface NoteStore {
  /** The newest first. */
  listByUser(userId: string): readonly Note[]
  add(userId: string, text: string): void
  /** Removes a note of this user; of somebody else it removes nothing. */
  remove(userId: string, id: number): void
}

/** Longest note in characters. */
export const maxNoteLength = 500
/** Most notes that are shown. */
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

/** A note as it is kept: without control characters but line breaks; empty when nothing is left. */
export function normalizeNote(typed: unknown): string {
  if (typeof typed !== "string") return ""
  const lines = typed.normalize("NFC").replace(/\r\n?/g, "\n")
  return lines
    .replace(/[^\P{Cc}\n]/gu, "")
    .trim()
    .slice(0, maxNoteLength)
}
