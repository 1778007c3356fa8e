import type { Account, Profile, User } from "@latchkey/core/types"

/** The signed-in user. Additional members reach the database, and the `jwt` callback if they are stored. */
export interface TestUser extends User {
  /** With a database: id of a stored user, or the proposed id of a new one, which `createUser` may replace. */
  id?: string
  /** Ignored without an adapter. */
  emailVerified?: Date | null
  [field: string]: unknown
}

/** Options of a test session. */
export interface TestSessionOptions {
  /**
   * A URL of the application. Its scheme determines the names and keys of the cookies.
   * @defaultValue the session has the cookies of both http and https
   */
  url?: string | URL
  /**
   * The `account` argument of the `jwt` callback, tokens included. It is not stored.
   * @defaultValue an account with the provider `test` and type `credentials`
   */
  account?: Partial<Account>
  /** The `profile` argument of the `jwt` callback. */
  profile?: Profile
  /**
   * Whether this is the user's first sign-in: the trigger of the `jwt` callback is then `signUp`.
   * @defaultValue false
   */
  isNewUser?: boolean
  /**
   * With 2, the user has proven a second factor just now, for guards with `level: 2`. Sessions in a database know it only with
   * `secondFactor` in the configuration.
   * @defaultValue 1
   */
  level?: 1 | 2
}

/** A session without a sign-in. */
export interface TestSession {
  /** The value of a `Cookie` header. */
  readonly cookie: string
  /** The `Set-Cookie` lines that a sign-in would respond with, for `TestBrowser.storeCookies`. */
  readonly setCookieHeaders: readonly string[]
  /** The signed-in user; with an adapter, as stored. */
  readonly user: TestUser
}
