/** A configuration with one mistake in it. */
import type { CommandFixture } from "./run-latchkey.ts"

export interface ConfigMistake extends CommandFixture {
  /** What the mistake is. */
  readonly mistake: string
  readonly args?: readonly string[]
  /** What the doctor has to find: its level, its code, words of the finding, words of the remedy. */
  readonly expected: readonly ["error" | "warning", code: string, what: RegExp, fix: RegExp]
  /** Codes of what follows from the mistake. */
  readonly alsoExpected?: readonly string[]
}

/** Good for tests alone: everybody can read it here. */
export const secret = "c2VlZGVkLW1pc3Rha2Ugc2VjcmV0IG9mIGZvcnR5LWZvdXI"

/** The surroundings in which nothing is wrong. */
export const validEnvironment: Readonly<Record<string, string>> = { AUTH_SECRET: secret }

/** A module that exports a configuration. */
export function createConfigFiles(fields: string, imports = ""): Readonly<Record<string, string>> {
  return { "auth.mjs": `${imports}\nexport const authConfig = { providers: [], ${fields} }\n` }
}

export const credentialsImport: string =
  'import credentials from "@latchkey/core/providers/credentials"\n'
export const tenantidpImport: string =
  'import tenantidp from "@latchkey/core/providers/tenantidp"\n'
export const nodemailerImport: string =
  'import nodemailer from "@latchkey/core/providers/nodemailer"\n'

/** An adapter on an SQLite database in memory. */
export const sqlImport: string =
  'import { SqlAdapter, migrate } from "@latchkey/sql"\n' +
  'import { openSqlite } from "@latchkey/sql/sqlite"\n' +
  'const database = openSqlite(":memory:")\n'
