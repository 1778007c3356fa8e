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

/** A text whose length databases limit: the entity and its field. */
export type LimitedTextField =
  | `User.${"name" | "email" | "image"}`
  | `Account.${"provider" | "providerAccountId" | "access_token" | "refresh_token" | "id_token" | "scope"}`
  | "Session.sessionToken"
  | `VerificationToken.${"identifier" | "token"}`

/** An interruption of the connection that was asked for. */
export interface Interruption {
  /** Lets everything pass from now on; tells whether the connection was broken. */
  end(): Awaitable<boolean>
}

/** What a case works with. */
export interface ConformanceContext {
  readonly adapter: Adapter
  readonly db: RowReader
  readonly fixtures?: Fixtures
  /**
   * Another adapter on the same database, with connections of its own, as a second process has one. Cases about
   * several processes need it; races run through both.
   */
  readonly second?: Adapter
  /**
   * How many characters fit, where it is not what the suite expects. Longer texts have to be refused or kept whole.
   */
  readonly lengths?: Readonly<Partial<Record<LimitedTextField, number>>>
  /**
   * Breaks the connection of `adapter` when message number `at` passes, counted from 0 and from now, in both
   * directions: once, and the message is lost. `interruptibleConnection` has it for databases behind TCP.
   */
  interrupt?(at: number): Awaitable<Interruption>
  /** Called when the case is over, whichever way it went. */
  disconnect?(): Awaitable<void>
}

/** A promise of the adapter contract. It makes its own data, so that cases run in any order and number. */
export interface ConformanceCase {
  readonly name: string
  /** `webauthn` is for adapters that store passkeys, `optional` for methods that need not be there. */
  readonly group:
    | "core"
    | "interruption"
    | "optional"
    | "processes"
    | "race"
    | "values"
    | "webauthn"
  /** What the case cannot be tried without and may be missing: optional methods, and members of the context. */
  readonly needs?: readonly (keyof Adapter | "interrupt" | "second")[]
  run(context: ConformanceContext): Promise<void>
}

/** Gives the adapter with these methods for certain. @throws AssertionError when one is missing */
export function requireMethods<Name extends keyof Adapter>(
  { adapter }: ConformanceContext,
  ...names: Name[]
): Required<Pick<Adapter, Name>> {
  for (const name of names) {
    assert.equal(typeof adapter[name], "function", `the adapter has a method ${name}`)
  }
  // The loop above has just seen them all.
  return adapter as Required<Pick<Adapter, Name>>
}

/** Says which need of a case is not met; undefined when all are. */
export function findUnmetNeed(
  context: ConformanceContext,
  { needs = [] }: ConformanceCase,
): string | undefined {
  return needs.find((need) =>
    need === "second" || need === "interrupt" ? !context[need] : !context.adapter[need],
  )
}
