import type { Failure } from "../client-failure.ts"
import type { SignInResult, SignOutOptions } from "../client-types.ts"

/** Options of the passkey functions. If the device fails, the browser stays on the page in any case. */
export interface PasskeyOptions extends Pick<SignOutOptions, "redirectTo" | "redirect"> {
  /** Whether the session outlasts the browser, if `session.rememberMe` lets users choose. */
  readonly rememberMe?: boolean | undefined
  /** Stops waiting for the device. */
  readonly signal?: AbortSignal | undefined
}

/** The fields of the provider's form for a new user, such as `email`. */
export interface PasskeySignUp extends PasskeyOptions {
  readonly fields: Readonly<Record<string, string>>
}

/** The result of a request for a passkey. */
export type PasskeyResult<S> =
  | SignInResult<S>
  /** The user declined, waited too long, or has no passkey here. Browsers do not say which. */
  | Failure<"cancelled", "NotAllowedError" | "AbortError">
  /** The device already has a passkey of this user. */
  | Failure<"already-registered", "InvalidStateError">
  /** This browser, or a page at this URL, cannot use passkeys. */
  | Failure<"unsupported", string>

/** Passkeys that are offered at a field. */
export interface PasskeyAutofill<S> {
  /** Stops offering passkeys. The result is `cancelled`. */
  stop(): void
  readonly result: Promise<PasskeyResult<S>>
}
