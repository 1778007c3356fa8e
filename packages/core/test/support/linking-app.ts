/** An application with two providers and a database: where accounts are linked, or are not. */
import { createScriptedProvider, type ScriptedProvider } from "@latchkey/testing"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

export interface LinkingApp extends TestDatabase, TestApp {
  readonly work: ScriptedProvider
  readonly club: ScriptedProvider
  /** Pairs of provider and user id, sorted. */
  listAccounts(): string[]
}

/** @param clubOptions options of the provider `club`, such as `allowDangerousEmailAccountLinking` */
export async function createLinkingApp(
  changes: Partial<TestAppConfig> = {},
  clubOptions: { allowDangerousEmailAccountLinking?: boolean } = {},
): Promise<LinkingApp> {
  const database = await createTestDatabase()
  const work = await createScriptedProvider({ id: "work", issuer: "https://work.example" })
  const club = await createScriptedProvider({ id: "club", issuer: "https://club.example" })
  const app = createTestApp({
    adapter: database.adapter,
    providers: [work.asOidc(), club.asOidc(clubOptions)],
    ...changes,
  })
  return {
    ...database,
    ...app,
    work,
    club,
    listAccounts: () =>
      database
        .rows("Account")
        .map(({ provider, userId }) => `${provider} ${userId}`)
        .sort(),
  }
}

export const ada = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
export const bob = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" }
