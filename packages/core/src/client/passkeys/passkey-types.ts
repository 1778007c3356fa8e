/** What a page asks of passkeys, and what comes of it. */
import type { SignInOptions, SignInResult } from "../sign-in-types.ts"

/** Where to go afterwards, and whether. */
export interface PasskeyOptions {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  readonly redirectTo?: string | undefined
  /**
   * Whether to leave the page after it worked, or for the page that tells of a refusal. With `false` the page
   * stays, and is told. It stays in any case when the device did not answer.
   *
   * @defaultValue `true`
   */
  readonly redirect?: boolean | undefined
  /** Ends the wait for the device. */
  readonly signal?: AbortSignal | undefined
}

/** Who is new: the fields of the provider's form, such as `email`. */
export interface PasskeySignUp extends PasskeyOptions {
  readonly fields: Readonly<Record<string, string>>
}

interface PasskeyFailureBase {
  readonly ok: false
  readonly code?: undefined
  readonly url: null
}

/** What came of asking for a passkey. */
export type PasskeyResult<S> =
  | SignInResult<S>
  /** The person said no, waited too long, or has no passkey here; browsers do not tell which. */
  | (PasskeyFailureBase & {
      readonly kind: "cancelled"
      readonly error: "NotAllowedError" | "AbortError"
    })
  /** The device has a passkey of this user: another one cannot be added. */
  | (PasskeyFailureBase & { readonly kind: "present"; readonly error: "InvalidStateError" })
  /** This browser, or a page at this address, cannot use passkeys. */
  | (PasskeyFailureBase & { readonly kind: "unsupported"; readonly error: string })

/** What came of an attempt to offer passkeys at a field, and how to end it. */
export interface PasskeyAutofill<S> {
  /** Stops offering them; the result is `cancelled`. */
  stop(): void
  readonly result: Promise<PasskeyResult<S>>
}

/** Options as the rest of the client takes them. */
export function toSignInOptions({ redirectTo, redirect }: PasskeyOptions): SignInOptions {
  return {
    ...(redirectTo === undefined ? {} : { redirectTo }),
    ...(redirect === undefined ? {} : { redirect }),
  }
}
