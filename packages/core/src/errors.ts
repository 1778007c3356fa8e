/**
 * The errors of the library. Each has a stable `type`; nothing else of an error is meant to be parsed.
 * `docs/errors.md` has a heading for every type.
 */
export { AuthError, type ErrorCause, SignInError } from "./errors/auth-error.ts"
export { isClientError } from "./errors/client-error.ts"
export {
  DuplicateConditionalUI,
  DuplicateProvider,
  ErrorPageLoop,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  InvalidOption,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UnsupportedStrategy,
  UntrustedHost,
  WeakSecret,
} from "./errors/configuration-errors.ts"
export type { ErrorDetails } from "./errors/error-details.ts"
export type { ErrorType } from "./errors/error-type.ts"
export {
  AdapterError,
  EventError,
  InvalidCallbackUrl,
  InvalidRequest,
  JWTSessionError,
  MissingCSRF,
  SessionTokenError,
  SignOutError,
  UnknownAction,
} from "./errors/request-errors.ts"
export {
  AccessDenied,
  AccountNotLinked,
  CallbackRouteError,
  CredentialsSignin,
  EmailSignInError,
  InvalidCheck,
  InvalidEmail,
  InvalidProvider,
  OAuthAccountNotLinked,
  OAuthCallbackError,
  OAuthProfileParseError,
  OAuthSignInError,
  TooManyRequests,
  Verification,
  WebAuthnVerificationError,
} from "./errors/sign-in-errors.ts"
