/** Opens the database and creates the application with it. */
import { randomBytes } from "node:crypto"
import { SqlAdapter } from "@latchkey/sql"
import type { Express } from "express"
import type { ServerAddresses } from "../addresses.ts"
import type { DataFolder } from "../data-folder.ts"
import type { Closable } from "../listen.ts"
import type { Inbox } from "../mail/inbox.ts"
import type { OAuthClient } from "../shared/client.ts"
import type { ActivityLog } from "./activity-log.ts"
import { createApp } from "./app.ts"
import { createAuthConfig } from "./auth.ts"
import { openDatabase } from "./database.ts"
import { createMemberStore } from "./members.ts"
import { createNoteStore } from "./notes.ts"

export interface ApplicationDependencies {
  readonly addresses: ServerAddresses
  readonly data: DataFolder
  readonly inbox: Inbox
  readonly clients: { readonly tenant: OAuthClient; readonly social: OAuthClient }
  readonly logActivity: ActivityLog
}

/** Opens the application. Closing it closes the database. */
export async function openApplication(
  dependencies: ApplicationDependencies,
): Promise<Closable & { readonly app: Express }> {
  const { addresses, data, inbox, clients, logActivity } = dependencies
  const database = await openDatabase(data.getPath("users.sqlite"))
  const adapter = SqlAdapter(database, { sessionRecords: true, secondFactor: true })
  const members = createMemberStore(database, adapter)
  const secret = data.readOrCreate("secret", () => randomBytes(33).toString("base64url"))
  const app = createApp({
    config: createAuthConfig({
      addresses,
      clients,
      secret,
      adapter,
      members,
      logActivity,
    }),
    addresses,
    logActivity,
    inbox,
    members,
    getUser: adapter.getUser,
    notes: createNoteStore(database),
  })
  return { app, close: async () => database.close() }
}
