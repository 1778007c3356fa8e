import type { Migration } from "./migration.ts"
import { createOwnIndex, createOwnTable } from "./own-tables.ts"

const record = "LatchkeySessionRecord"
const change = "LatchkeySessionChange"

/**
 * Creates the tables of session records and of changes of sessions, for the option `sessionRecords`. Records have no
 * foreign key: sessions that are tokens may belong to users whom the database does not have.
 */
export const sessionRecordsMigration: Migration = {
  version: -1,
  name: "session-records",
  statements: (context) => [
    createOwnTable(
      context,
      record,
      {
        id: "key",
        userId: "key",
        createdAt: "date",
        lastSeenAt: "date",
        expires: "date",
        providerSession: "key",
        providerSubject: "key",
        details: "text",
      },
      ["providerSession", "providerSubject"],
    ),
    createOwnIndex(context, record, "userId"),
    // The longest name of a table leaves no room for the whole names.
    createOwnIndex(context, record, "providerSession", "session"),
    createOwnIndex(context, record, "providerSubject", "subject"),
    createOwnIndex(context, record, "expires"),
    createOwnTable(context, change, {
      key: "key",
      changedAt: "date",
      expires: "date",
      details: "text",
    }),
    createOwnIndex(context, change, "changedAt"),
    createOwnIndex(context, change, "expires"),
  ],
}
