/** The errors of a configuration. They refuse every request, or only the provider that has them. */
import { AuthError } from "./auth-error.ts"

/** More than one WebAuthn provider uses conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
}

/** Two providers have the same id, and thus the same callback URL. */
export class DuplicateProvider extends AuthError {
  static override type = "DuplicateProvider" as const
}

/** The page of `pages.error` redirects to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
}

/** A feature is used that is not enabled under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
}

/** A configuration has several errors, which are in `problems`. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const
  /** The errors in the configuration. */
  readonly problems: readonly AuthError[]

  constructor(problems: readonly AuthError[]) {
    const list = problems.map(({ type, message }, index) => `${index + 1}. ${type}: ${message}`)
    super(`The configuration has ${problems.length} problems. ${list.join(" ")}`)
    this.problems = problems
  }
}

/** A provider lacks its issuer or an endpoint, or has one that must not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
}

/** The value of an option is invalid. */
export class InvalidOption extends AuthError {
  static override type = "InvalidOption" as const
}

/** The configuration requires a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
}

/** The adapter lacks methods that the configuration requires. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
}

/** A provider has no client id. */
export class MissingClientId extends AuthError {
  static override type = "MissingClientId" as const
}

/** The configuration has no secret. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret" as const
}

/** A WebAuthn form has no field for the autofill of passkeys. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
}

/** The configured providers cannot be used with the session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
}

/** `trustHost` is not set, so the host of a request is not trusted. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
}

/** A secret can be guessed: it is short, repetitive, or the placeholder of an example. */
export class WeakSecret extends AuthError {
  static override type = "WeakSecret" as const
}
