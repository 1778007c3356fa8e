/** The errors of a configuration. They refuse every request, or only the provider that has them. */
import { AuthError } from "./auth-error.ts"

/** More than one WebAuthn provider uses conditional UI. */
export class DuplicateConditionalUI extends AuthError {
  static override type = "DuplicateConditionalUI" as const
  static override hint = "Set `enableConditionalUI: false` for all passkey providers but one."
}

/** Two providers have the same id, and thus the same callback URL. */
export class DuplicateProvider extends AuthError {
  static override type = "DuplicateProvider" as const
  static override hint = "Set another `id` for one of them."
}

/** A feature is used that is not enabled under `experimental`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type = "ExperimentalFeatureNotEnabled" as const
  static override hint = "Enable the feature under `experimental`, or remove what uses it."
}

/** A provider lacks its issuer or an endpoint, or has one that must not be used. */
export class InvalidEndpoints extends AuthError {
  static override type = "InvalidEndpoints" as const
  static override hint = "Set the `issuer` of the provider, or the https URLs of its endpoints."
}

/** The value of an option is invalid. */
export class InvalidOption extends AuthError {
  static override type = "InvalidOption" as const
  static override hint = "Compare the option with the configuration reference, or leave it out."
}

/** The configuration requires a database adapter. */
export class MissingAdapter extends AuthError {
  static override type = "MissingAdapter" as const
  static override hint = "Set `adapter`, for example to SqlAdapter of @latchkey/sql."
}

/** The adapter lacks methods that the configuration requires. */
export class MissingAdapterMethods extends AuthError {
  static override type = "MissingAdapterMethods" as const
  static override hint = "Use an adapter that has them, or remove the options that require them."
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type = "MissingAuthorize" as const
  static override hint =
    "Set the `authorize` of the provider to a function that returns a user, or null."
}

/** A provider has no client id. */
export class MissingClientId extends AuthError {
  static override type = "MissingClientId" as const
  static override hint =
    "Set the `clientId` of the provider to the value that it gave your application."
}

/** The configuration has no secret. */
export class MissingSecret extends AuthError {
  static override type = "MissingSecret" as const
  static override hint =
    "Run `npx @latchkey/cli secret --write`, which adds AUTH_SECRET to `.env`, or set `secret`."
}

/** A WebAuthn form has no field for the autofill of passkeys. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type = "MissingWebAuthnAutocomplete" as const
  static override hint =
    'Set `autocomplete: "username webauthn"` on a field, or set `enableConditionalUI: false`.'
}

/** The configured providers cannot be used with the session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type = "UnsupportedStrategy" as const
  static override hint = "Choose another `session.strategy`."
}

/** `trustHost` is not set, so the host of a request is not trusted. */
export class UntrustedHost extends AuthError {
  static override type = "UntrustedHost" as const
  static override hint = "Set AUTH_URL, or `trustHost: true` if your platform guarantees the host."
}

/** A secret can be guessed: it is short, repetitive, or the placeholder of an example. */
export class WeakSecret extends AuthError {
  static override type = "WeakSecret" as const
  static override hint = "Replace it by the output of `npx @latchkey/cli secret`."
}
