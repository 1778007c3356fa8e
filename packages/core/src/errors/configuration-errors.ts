/** What is wrong with a configuration. With any of these in it, every request is refused. */
import { AuthError } from "./auth-error.ts"

/** More than one WebAuthn provider asks for autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
  static override hint = "Set `enableConditionalUI: false` for all passkey providers but one."
}

/** Two providers have one id, and so one callback URL. */
export class DuplicateProvider extends AuthError {
  static override type = "DuplicateProvider" as const
  static override hint = "Give one of them another `id`."
}

/** `pages.error` leads back to itself. */
export class ErrorPageLoop extends AuthError {
  static override type = "ErrorPageLoop" as const
  static override hint =
    "Let everybody see the page that `pages.error` names: it must not ask people to sign in."
}

/** A feature is used that has to be switched on under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
  static override hint = "Switch the feature on under `experimental`, or remove what uses it."
}

/** Several things are wrong with a configuration; `problems` has each of them. */
export class InvalidConfiguration extends AuthError {
  static override type = "InvalidConfiguration" as const
  static override hint = "Mend them all: every request is refused until then."
  /** Each of the problems. */
  readonly problems: readonly AuthError[]

  constructor(problems: readonly AuthError[]) {
    const list = problems.map(({ type, message }, index) => `${index + 1}. ${type}: ${message}`)
    super(`The configuration has ${problems.length} problems. ${list.join(" ")}`)
    this.problems = problems
  }
}

/** A provider lacks an endpoint, or has one that may not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
  static override hint = "Give the provider an `issuer`, or the https URLs of its endpoints."
}

/** An option is not of the kind that it has to be. */
export class InvalidOption extends AuthError {
  static override type = "InvalidOption" as const
  static override hint = "Write the option as the configuration reference has it, or leave it out."
}

/** The configuration needs a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
  static override hint = "Set `adapter`: SqlAdapter of @latchkey/sql, or another."
}

/** The adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
  static override hint = "Use an adapter that has them, or leave out what needs them."
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
  static override hint = "Give the provider an `authorize` that returns a user, or null."
}

/** There is no secret. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret" as const
  static override hint = "Set `secret` (or AUTH_SECRET) to the output of: openssl rand -base64 33"
}

/** A WebAuthn form has no field that autofill could use. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
  static override hint =
    'Give a field `autocomplete: "username webauthn"`, or set `enableConditionalUI: false`.'
}

/** The configured session strategy cannot serve the configured providers. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
  static override hint = "Choose another `session.strategy`."
}

/** `trustHost` is not set, so the host of a request cannot be relied on. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
  static override hint =
    "Set AUTH_URL, or `trustHost: true` where the platform guarantees the host."
}

/** A secret can be guessed: it is short, repeats itself, or stands in an example. */
export class WeakSecret extends AuthError {
  static override type = "WeakSecret" as const
  static override hint = "Make one with: openssl rand -base64 33"
}
