/** What kinds of second factors have in common. */

/** What a factor keeps, such as its secret. It is stored as encrypted JSON. */
export type FactorData = Readonly<Record<string, unknown>>

/** A kind of second factor. `totp` and `recoveryCodes` of `@latchkey/core/second-factor` create one. */
export interface FactorMethod {
  readonly id: "totp" | "recovery-codes"
  /** The name that applications show in lists of codes, such as the name of the site. Only for `totp`. */
  readonly issuer?: string | undefined
  /**
   * Checks what a person typed. Returns the data that the factor keeps from now on, with which the same response is never
   * accepted again; undefined if the response is wrong.
   *
   * @param now in milliseconds since 1970
   */
  verify(data: FactorData, response: string, now: number): Promise<FactorData | undefined>
}
