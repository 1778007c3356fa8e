/** The HTTP statuses of responses to errors. Refused sign-ins have 403 unless they are listed, and others 500. */
const statuses: Readonly<Partial<Record<string, number>>> = {
  AccessDenied: 403,
  InvalidCallbackUrl: 400,
  InvalidCheck: 400,
  InvalidEmail: 400,
  InvalidLogoutToken: 400,
  InvalidProvider: 400,
  LastAccount: 409,
  LastFactor: 409,
  SessionNotFresh: 403,
  TooManyRequests: 429,
  UnknownAction: 404,
  Verification: 403,
  WebAuthnVerificationError: 403,
  // A database, a provider or a mail server failed: a later attempt may succeed.
  AccessTokenError: 503,
  AdapterError: 503,
  EmailSignInError: 503,
  JWTSessionError: 503,
  OAuthSignInError: 503,
  SessionTokenError: 503,
  SignOutError: 503,
}

/** Returns the HTTP status of a response to an error. A token that only another sign-in replaces is no outage. */
export function getErrorStatus(
  type: string,
  kind: "error" | "signIn",
  details: Readonly<Record<string, unknown>>,
): number {
  if (details["needsSignIn"] === true) return 403
  return statuses[type] ?? (kind === "signIn" ? 403 : 500)
}
