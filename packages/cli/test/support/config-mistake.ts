/** A configuration with one mistake. */
import type { CommandFixture } from "./run-latchkey.ts"

export interface ConfigMistake extends CommandFixture {
  readonly mistake: string
  readonly args?: readonly string[]
  /** The expected finding. */
  readonly expected: readonly ["error" | "warning", code: string, what: RegExp, fix: RegExp]
  /** Codes of further findings that follow from the mistake. */
  readonly alsoExpected?: readonly string[]
}

export const secret = "c2VlZGVkLW1pc3Rha2Ugc2VjcmV0IG9mIGZvcnR5LWZvdXI"

/** An environment without problems. */
export const validEnvironment: Readonly<Record<string, string>> = { AUTH_SECRET: secret }

/** Returns a module that exports a configuration. */
export function createConfigFiles(fields: string, imports = ""): Readonly<Record<string, string>> {
  return { "auth.mjs": `${imports}\nexport const authConfig = { providers: [], ${fields} }\n` }
}

export const credentialsImport: string =
  'import credentials from "@latchkey/core/providers/credentials"\n'
export const tenantidpImport: string =
  'import tenantidp from "@latchkey/core/providers/tenantidp"\n'
export const nodemailerImport: string =
  'import nodemailer from "@latchkey/core/providers/nodemailer"\n'

/** Opens an SQLite database in memory. */
export const sqlImport: string =
  'import { SqlAdapter, migrate } from "@latchkey/sql"\n' +
  'import { openSqlite } from "@latchkey/sql/sqlite"\n' +
  'const database = openSqlite(":memory:")\n'
