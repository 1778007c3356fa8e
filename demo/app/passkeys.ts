/** The passkeys of a user, read from Latchkey's table, with the time each was added. */
import type { DatabaseSync } from "node:sqlite"
import type { Adapter } from "@latchkey/core/adapters"

export interface UserPasskey {
  /** Base64url, for use in URLs. */
  readonly id: string
  readonly addedAt: Date | undefined
  /** Whether a password manager synchronises it between devices. */
  readonly isSynced: boolean
}

export interface PasskeyStore {
  /** Returns the oldest first. */
  listByUser(userId: string): readonly UserPasskey[]
  /** Stores the current time for a new passkey. */
  recordAdded(credentialID: string): void
  /** Removes a passkey if it belongs to this user. */
  remove(userId: string, id: string): Promise<void>
}

type UnlinkAdapter = Pick<Required<Adapter>, "unlinkAccount">

export function createPasskeyStore(
  database: DatabaseSync,
  { unlinkAccount }: UnlinkAdapter,
): PasskeyStore {
  const select = database.prepare(`
    select a.credentialID, a.credentialDeviceType, p.addedAt
    from Authenticator a left join passkey p on p.credentialID = a.credentialID
    where a.userId = ? order by p.addedAt, a.rowid`)
  const insert = database.prepare(
    "insert or ignore into passkey (credentialID, addedAt) values (?, ?)",
  )
  const deleteAuthenticator = database.prepare(
    "delete from Authenticator where credentialID = ? and userId = ?",
  )
  return {
    listByUser: (userId) =>
      select.all(userId).map(({ credentialID, credentialDeviceType, addedAt }) => ({
        id: Buffer.from(String(credentialID), "base64").toString("base64url"),
        addedAt: addedAt === null ? undefined : new Date(Number(addedAt)),
        isSynced: credentialDeviceType === "multiDevice",
      })),
    recordAdded: (credentialID) => void insert.run(credentialID, Date.now()),
    async remove(userId, id) {
      const credentialID = Buffer.from(id, "base64url").toString("base64")
      if (deleteAuthenticator.run(credentialID, userId).changes === 0) return
      await unlinkAccount({ provider: "passkey", providerAccountId: credentialID })
    },
  }
}
