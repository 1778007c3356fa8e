/** The passkeys of a user, read from Latchkey's table, with the time each was added. */
import type { DatabaseSync } from "node:sqlite"

export interface UserPasskey {
  readonly credentialID: string
  readonly addedAt: Date | undefined
  /** Whether a password manager synchronises it between devices. */
  readonly isSynced: boolean
}

export interface PasskeyStore {
  /** Returns the oldest first. */
  listByUser(userId: string): readonly UserPasskey[]
  /** Stores the current time for a new passkey. */
  recordAdded(credentialID: string): void
}

export function createPasskeyStore(database: DatabaseSync): PasskeyStore {
  const select = database.prepare(`
    select a.credentialID, a.credentialDeviceType, p.addedAt
    from Authenticator a left join passkey p on p.credentialID = a.credentialID
    where a.userId = ? order by p.addedAt, a.rowid`)
  const insert = database.prepare(
    "insert or ignore into passkey (credentialID, addedAt) values (?, ?)",
  )
  return {
    listByUser: (userId) =>
      select.all(userId).map(({ credentialID, credentialDeviceType, addedAt }) => ({
        credentialID: String(credentialID),
        addedAt: addedAt === null ? undefined : new Date(Number(addedAt)),
        isSynced: credentialDeviceType === "multiDevice",
      })),
    recordAdded: (credentialID) => void insert.run(credentialID, Date.now()),
  }
}
