/** For failures of the application's own code, a database or a provider: the message has their own error. */
const debugHint = "With `debug: true`, the log also has the stack of the error."

/** How to fix most errors of each type, by the stable names of all errors. */
const errorHints = {
  AccessDenied:
    "Check the return value of the `signIn` callback. Return true to allow the sign-in.",
  AccountNotLinked: "Sign in with your existing method, then add the passkey while signed in.",
  AdapterError: "Check that the database is reachable, and that its tables are up to date.",
  CallbackRouteError: debugHint as string,
  CredentialsSignin: "The credentials are wrong, or `authorize` did not find the user.",
  DuplicateConditionalUI: "Set `enableConditionalUI: false` for all passkey providers but one.",
  DuplicateProvider: "Set another `id` for one of them.",
  EmailSignInError:
    "Check the address, user and password of the mail server, or the key of the mail service.",
  ErrorPageLoop: "Allow everyone to open the page of `pages.error`: it must not require a sign-in.",
  EventError: "Catch errors in the event handler.",
  ExperimentalFeatureNotEnabled: "Enable the feature under `experimental`, or remove what uses it.",
  InvalidCallbackUrl: "Use a path on this site, or a URL that the `redirect` callback allows.",
  InvalidCheck: "Start the sign-in again on the host name of the callback URL.",
  InvalidConfiguration: "Fix all of them: every request is refused until then.",
  InvalidEmail: "Enter a single plain address.",
  InvalidEndpoints: "Set the `issuer` of the provider, or the https URLs of its endpoints.",
  InvalidOption: "Compare the option with the configuration reference, or leave it out.",
  InvalidProvider: "Compare the id in the URL with the configured `providers`.",
  InvalidRequest: "Send a form or a JSON object of at most 64 KiB.",
  JWTSessionError: debugHint as string,
  MissingAdapter: "Set `adapter`, for example to SqlAdapter of @latchkey/sql.",
  MissingAdapterMethods: "Use an adapter that has them, or remove the options that require them.",
  MissingAuthorize:
    "Set the `authorize` of the provider to a function that returns a user, or null.",
  MissingCSRF: "Reload the page. In your own form, send the `csrfToken` of GET /auth/csrf.",
  MissingClientId: "Set the `clientId` of the provider to the value that it gave your application.",
  MissingSecret:
    "Run `npx @latchkey/cli secret --write`, which adds AUTH_SECRET to `.env`, or set `secret`.",
  MissingWebAuthnAutocomplete:
    'Set `autocomplete: "username webauthn"` on a field, or set `enableConditionalUI: false`.',
  OAuthAccountNotLinked:
    "Sign in with your existing method, then add this account while signed in.",
  OAuthCallbackError:
    "Compare the client id, secret, redirect URI and scopes with the settings at the provider.",
  OAuthProfileParseError: "Return an object from `profile` whose `id` is a string or a number.",
  OAuthSignInError:
    "Check that this server can reach the `issuer`, and that its metadata is valid.",
  SessionTokenError: debugHint as string,
  SessionTooLarge:
    "Return less from the `jwt` callback, such as ids instead of lists, or store sessions in a database.",
  SignOutError: "Sign out again once the database is available.",
  TooManyRequests: "Wait and try again, or allow more attempts in `attemptLimits` or `rateLimit`.",
  UnknownAction: "Compare the path with `basePath`. Use POST to sign in and out.",
  UnsupportedStrategy: "Choose another `session.strategy`.",
  UntrustedHost: "Set AUTH_URL, or `trustHost: true` if your platform guarantees the host.",
  Verification: "Request a new link, and use it once.",
  WeakSecret: "Replace it by the output of `npx @latchkey/cli secret`.",
  WebAuthnVerificationError:
    "Compare the relying party with the URL of the page, or use another passkey.",
}

/** The stable names of all errors. */
export type ErrorType = keyof typeof errorHints

/** Returns how to fix most errors of a type; an empty string for the base classes. */
export function getErrorHint(type: string): string {
  return (errorHints as Readonly<Record<string, string>>)[type] ?? ""
}
