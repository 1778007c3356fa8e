/** The option `secondFactor`, and what kinds of second factors have in common. */
import type { Adapter, AdapterUser } from "../adapters.ts"
import type { AuthError } from "../errors.ts"
import type { FactorMethodId } from "../latchkey-auth.ts"
import type { ResolvedProvider } from "../providers/resolved-provider.ts"
import type { Mailer } from "../providers/types.ts"
import type { Account, Awaitable, User } from "../types.ts"

/** The data of a factor, such as its secret. It is stored as encrypted JSON. */
export type FactorData = Readonly<Record<string, unknown>>

/** A kind of second factor. The functions of `@latchkey/core/second-factor` create one. */
export interface FactorMethod {
  readonly id: FactorMethodId
  /** The name that applications show in lists of codes, such as the name of the site. Only for `totp`. */
  readonly issuer?: string | undefined
  /**
   * Checks what a person typed. Returns the data that the factor keeps from now on, with which the same response is never
   * accepted again; undefined if the response is wrong. Absent for passkeys, which nobody types.
   *
   * @param now in milliseconds since 1970
   */
  verify?(data: FactorData, response: string, now: number): Promise<FactorData | undefined>
  /** Returns the errors of a configuration. It comes with the method, so that only those who use it load it. */
  findConfigErrors(config: FactorConfig): AuthError[]
}

/** Sign-ins that count as two factors: those with one of these values in their ID token, or all of a passkey provider. */
export type AcceptedFactors =
  | true
  | { readonly acr?: readonly string[]; readonly amr?: readonly string[] }

/** Second factors: which there are, and who needs one. */
export interface SecondFactorOptions {
  /** The kinds of factors: `totp`, `passkeys`, `emailCodes` and `recoveryCodes` of `@latchkey/core/second-factor`. */
  methods: readonly FactorMethod[]
  /**
   * Whether a user needs a second factor. Users without one add one before their session begins. Users who have one are
   * always asked for it. By default, nobody needs one.
   *
   * @param account the account of the sign-in; undefined when the user is about to remove their last factor
   */
  require?(user: User | AdapterUser, account: Account | undefined): Awaitable<boolean>
  /**
   * Lets users trust a device, on which they are not asked again for `maxAge` seconds, at most 30 days. By default,
   * they are asked each time.
   */
  trustDevice?: { readonly maxAge: number }
  /**
   * Which sign-ins count as two factors, by the id of their provider: those with one of these values of `acr` or `amr`
   * in the ID token, or with `true` all of a passkey provider that verifies its users. @defaultValue none
   */
  accept?: Readonly<Record<string, AcceptedFactors>>
}

/** The parts of a configuration on which the option depends. */
export interface FactorConfig {
  readonly adapter: Adapter | undefined
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly secondFactor: SecondFactorOptions | undefined
  readonly mailer: Mailer | false | undefined
}
