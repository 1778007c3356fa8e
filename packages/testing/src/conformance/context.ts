import assert from "node:assert/strict"
import type { AccountKey, Adapter, VerificationToken } from "@latchkey/core/adapters"
import type { Awaitable } from "@latchkey/core/types"

/** A stored row, or nothing. */
export type Row = object | null | undefined

/** Reads rows without the adapter, with the names and types of the adapter's records. */
export interface RowReader {
  user(id: string): Awaitable<Row>
  session(sessionToken: string): Awaitable<Row>
  account(key: AccountKey): Awaitable<Row>
  verificationToken(key: Pick<VerificationToken, "identifier" | "token">): Awaitable<Row>
  /** Required by the group `webauthn`. */
  authenticator?(credentialID: string): Awaitable<Row>
}

/** Records that differ from those of the suite. */
export interface Fixtures {
  /**
   * Creates the id of a user, for databases whose ids are not UUIDs. Also used for ids that do not exist.
   * @defaultValue a random UUID
   */
  id?: () => string
  /** Additional fields of every user. */
  user?: Readonly<Record<string, unknown>>
  /** Additional fields of every session. */
  session?: Readonly<Record<string, unknown>>
  /** Additional fields of every account. */
  account?: Readonly<Record<string, unknown>>
}

/** A text whose length databases limit: the entity and its field. */
export type LimitedTextField =
  | `User.${"name" | "email" | "image"}`
  | `Account.${"provider" | "providerAccountId" | "access_token" | "refresh_token" | "id_token" | "scope"}`
  | "Session.sessionToken"
  | `VerificationToken.${"identifier" | "token"}`

/** A requested interruption of the connection. */
export interface Interruption {
  /** Stops interrupting. Returns whether the connection was broken. */
  end(): Awaitable<boolean>
}

/** The environment of a case. */
export interface ConformanceContext {
  readonly adapter: Adapter
  readonly db: RowReader
  readonly fixtures?: Fixtures
  /**
   * Another adapter on the same database with connections of its own, as in a second process. Cases about several
   * processes need it; races use both.
   */
  readonly second?: Adapter
  /**
   * How many characters fit, if they differ from what the suite expects. Longer texts must be refused or kept whole.
   */
  readonly lengths?: Readonly<Partial<Record<LimitedTextField, number>>>
  /**
   * Breaks the connection of `adapter` once, when message number `at` in either direction passes, counted from 0 and
   * from this call. The message is lost. For databases behind TCP, `createInterruptibleConnection` provides this
   * method.
   */
  interrupt?(at: number): Awaitable<Interruption>
  /** Called after each case, passed or failed. */
  disconnect?(): Awaitable<void>
}

/** A requirement for adapters. Each case creates its own data, so that cases run in any order and selection. */
export interface ConformanceCase {
  readonly name: string
  /** `webauthn` is for adapters that store passkeys, `optional` for methods that adapters may lack. */
  readonly group:
    | "core"
    | "interruption"
    | "optional"
    | "processes"
    | "race"
    | "values"
    | "webauthn"
  /** The optional methods and context members that the case requires. */
  readonly needs?: readonly (keyof Adapter | "interrupt" | "second")[]
  run(context: ConformanceContext): Promise<void>
}

/** Returns the adapter, with methods that are known to exist. @throws AssertionError if one is missing */
export function requireMethods<Name extends keyof Adapter>(
  { adapter }: ConformanceContext,
  ...names: Name[]
): Required<Pick<Adapter, Name>> {
  for (const name of names) {
    assert.equal(typeof adapter[name], "function", `the adapter has a method ${name}`)
  }
  // The loop above has checked all of them.
  return adapter as Required<Pick<Adapter, Name>>
}

/** Returns an unmet need of a case; undefined if all are met. */
export function findUnmetNeed(
  context: ConformanceContext,
  { needs = [] }: ConformanceCase,
): string | undefined {
  return needs.find((need) =>
    need === "second" || need === "interrupt" ? !context[need] : !context.adapter[need],
  )
}
