import type { Account, Profile, User } from "@latchkey/core/types"

/** Who is signed in. Further members reach the database, and the `jwt` callback as far as it stores them. */
export interface TestUser extends User {
  /** In a database: of a user who is stored already, or proposed to `createUser`, which may give another. */
  id?: string
  /** Without an adapter nothing is done with it. */
  emailVerified?: Date | null
  [field: string]: unknown
}

/** How they came in, and where the session is to be used. */
export interface TestSessionOptions {
  /**
   * A URL of the application, whose scheme decides about the cookies' names and keys.
   * @defaultValue the session has the cookies of both http and https
   */
  url?: string | URL
  /**
   * What the `jwt` callback gets as `account`, tokens included. It is not stored.
   * @defaultValue an account `minted` of type `credentials`
   */
  account?: Partial<Account>
  /** What the `jwt` callback gets as `profile`. */
  profile?: Profile
  /**
   * Whether this is a person's first sign-in: the `jwt` callback then sees the trigger `signUp`.
   * @defaultValue false
   */
  isNewUser?: boolean
}

/** A session that nobody had to sign in for. */
export interface TestSession {
  /** The value of a `Cookie` header. */
  readonly cookie: string
  /** The lines of `Set-Cookie` that a sign-in would have answered with, for `browser.receive`. */
  readonly setCookieHeaders: readonly string[]
  /** Who is signed in; with an adapter, as stored. */
  readonly user: TestUser
}
