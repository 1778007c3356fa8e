import assert from "node:assert/strict"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@latchkey/core/adapters"
import type { ConformanceContext, Row } from "./context.ts"
import { requireMethods } from "./context.ts"

/** Creates an id in the database's format that does not exist. */
export function buildId({ fixtures }: ConformanceContext): string {
  return fixtures?.id?.() ?? randomUUID()
}

/** Creates a user, without storing it. */
export function buildUser(
  context: ConformanceContext,
  changes: Partial<AdapterUser> = {},
): AdapterUser {
  return {
    id: buildId(context),
    name: "Fill Murray",
    email: `${randomUUID()}@example.com`,
    image: "https://www.example.com/fill/460/300",
    emailVerified: secondsFromNow(0),
    ...context.fixtures?.user,
    ...changes,
  }
}

/** Stores a user. */
export async function storeUser(
  context: ConformanceContext,
  changes: Partial<AdapterUser> = {},
): Promise<AdapterUser> {
  return requireMethods(context, "createUser").createUser(buildUser(context, changes))
}

/** Creates a session, without storing it. */
export function buildSession({ fixtures }: ConformanceContext, userId: string): AdapterSession {
  return { sessionToken: randomUUID(), userId, expires: secondsFromNow(1000), ...fixtures?.session }
}

/** Stores a session, and returns it. */
export async function storeSession(
  context: ConformanceContext,
  userId: string,
): Promise<AdapterSession> {
  const session = buildSession(context, userId)
  await requireMethods(context, "createSession").createSession({ ...session })
  return session
}

/** Creates an account with every field of a token response, without storing it. */
export function buildAccount(
  { fixtures }: ConformanceContext,
  userId: string,
  changes: Partial<AdapterAccount> = {},
): AdapterAccount {
  return {
    userId,
    provider: "spotify",
    providerAccountId: randomUUID(),
    type: "oauth",
    access_token: randomUUID(),
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    id_token: `${"e".repeat(1500)}.${randomUUID()}`,
    refresh_token: randomUUID(),
    token_type: "bearer",
    scope: "user",
    session_state: randomUUID(),
    ...fixtures?.account,
    ...changes,
  }
}

/** Stores an account, and returns it. */
export async function storeAccount(
  context: ConformanceContext,
  userId: string,
  changes: Partial<AdapterAccount> = {},
): Promise<AdapterAccount> {
  const account = buildAccount(context, userId, changes)
  await requireMethods(context, "linkAccount").linkAccount({ ...account })
  return account
}

/** Picks only the key of an account: some databases accept no other fields. */
export function toAccountKey({ provider, providerAccountId }: AccountKey): AccountKey {
  return { provider, providerAccountId }
}

/** Creates a verification token, hashed as Latchkey does, without storing it. */
export function buildVerificationToken(): VerificationToken {
  return {
    identifier: `${randomUUID()}@example.com`,
    token: createHash("sha256").update(`${randomUUID()}anything`).digest("hex"),
    expires: secondsFromNow(900),
  }
}

/** Creates a passkey, without storing it. */
export function buildAuthenticator(
  userId: string,
  providerAccountId: string,
): AdapterAuthenticator {
  return {
    userId,
    providerAccountId,
    credentialID: randomBytes(32).toString("base64"),
    credentialPublicKey: randomBytes(77).toString("base64"),
    counter: 0,
    credentialBackedUp: true,
    credentialDeviceType: "multiDevice",
    transports: "internal,hybrid",
  }
}

/** Returns a time without milliseconds, which not every database keeps. */
export function secondsFromNow(seconds: number): Date {
  return new Date((Math.floor(Date.now() / 1000) + seconds) * 1000)
}

/**
 * Asserts that a row equals the record: every field, with Dates as Dates. The row may have additional fields (`extra`),
 * and empty columns that the record does not have.
 */
export function assertRecordEquals(
  row: unknown,
  record: object,
  extra: readonly string[] = [],
): void {
  assert.ok(row !== null && typeof row === "object", `expected a record, got ${String(row)}`)
  const actual = pickDefinedFields(row)
  for (const name of extra) if (!(name in record)) delete actual[name]
  assert.deepEqual(actual, pickDefinedFields(record))
}

/** Asserts that there is no row. */
export function assertNoRow(row: Row): void {
  assert.ok(row === null || row === undefined, `expected nothing, got ${JSON.stringify(row)}`)
}

/** Picks the fields that have a value. */
function pickDefinedFields(record: object): Record<string, unknown> {
  const entries = Object.entries(record)
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined))
}
