import assert from "node:assert/strict"
import type { AccountKey, Adapter, VerificationToken } from "@latchkey/core/adapters"
import type { Awaitable } from "@latchkey/core/types"

/** A stored row, or nothing. */
export type Row = object | null | undefined

/** Reads rows behind the back of the adapter, with the names and types of the contract. */
export interface RowReader {
  user(id: string): Awaitable<Row>
  session(sessionToken: string): Awaitable<Row>
  account(key: AccountKey): Awaitable<Row>
  verificationToken(key: Pick<VerificationToken, "identifier" | "token">): Awaitable<Row>
  /** Needed for the group `webauthn`. */
  authenticator?(credentialID: string): Awaitable<Row>
}

/** What records of this database look like, where it is not what the suite would make up. */
export interface Fixtures {
  /**
   * Makes the id of a user, for databases whose ids are no UUIDs. Also asked for ids that nobody has.
   * @defaultValue a random UUID
   */
  id?: () => string
  /** Members that every user has: columns of your own. */
  user?: Readonly<Record<string, unknown>>
  /** Members that every session has. */
  session?: Readonly<Record<string, unknown>>
  /** Members that every account has. */
  account?: Readonly<Record<string, unknown>>
}

/** What a case works with. */
export interface ConformanceContext {
  readonly adapter: Adapter
  readonly db: RowReader
  readonly fixtures?: Fixtures
  /** Called when the case is over, whichever way it went. */
  disconnect?(): Awaitable<void>
}

/** A promise of the adapter contract. It makes its own data, so that cases run in any order and number. */
export interface ConformanceCase {
  readonly name: string
  readonly group: "core" | "race" | "webauthn"
  run(context: ConformanceContext): Promise<void>
}

/** Gives the adapter with these methods for certain. @throws AssertionError when one is missing */
export function having<Name extends keyof Adapter>(
  { adapter }: ConformanceContext,
  ...names: Name[]
): Required<Pick<Adapter, Name>> {
  for (const name of names) {
    assert.equal(typeof adapter[name], "function", `the adapter has a method ${name}`)
  }
  // The loop above has just seen them all.
  return adapter as Required<Pick<Adapter, Name>>
}
