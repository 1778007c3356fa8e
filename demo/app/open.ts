/** Opens the application: its database, its parts, its Express server. */
import { randomBytes } from "node:crypto"
import { SqlAdapter } from "@latchkey/sql"
import type { Express } from "express"
import type { DataFolder } from "../data-folder.ts"
import type { Running } from "../listen.ts"
import type { Letters } from "../mail/letters.ts"
import type { Places } from "../places.ts"
import type { Client } from "../shared/client.ts"
import { createApp } from "./app.ts"
import { authConfig } from "./auth.ts"
import type { Chronicle } from "./chronicle.ts"
import { openDatabase } from "./database.ts"
import { createLinkedAccounts } from "./linked.ts"
import { createMembers } from "./members.ts"
import { createNotes } from "./notes.ts"
import { createPasskeyList } from "./passkeys.ts"

/** What the application has around it. */
export interface Surroundings {
  readonly places: Places
  readonly data: DataFolder
  readonly letters: Letters
  readonly clients: { readonly tenant: Client; readonly social: Client }
  readonly chronicle: Chronicle
}

/** Opens the application; closing it closes the database. */
export async function openApplication(
  surroundings: Surroundings,
): Promise<Running & { readonly app: Express }> {
  const { places, data, letters, clients, chronicle } = surroundings
  const database = await openDatabase(data.path("users.sqlite"))
  const adapter = SqlAdapter(database)
  const members = createMembers(database, adapter)
  const passkeys = createPasskeyList(database, adapter)
  const secret = data.keep("secret", () => randomBytes(33).toString("base64url"))
  const app = createApp({
    config: authConfig({ places, clients, secret, adapter, members, passkeys, chronicle }),
    places,
    chronicle,
    letters,
    members,
    passkeys,
    getUser: adapter.getUser,
    notes: createNotes(database),
    linkedAccounts: createLinkedAccounts(database),
  })
  return { app, close: async () => database.close() }
}
