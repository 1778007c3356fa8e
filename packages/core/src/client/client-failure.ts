/** What can go wrong between a page and the server, as values and as an error. */

interface FailureBase {
  readonly ok: false
  readonly code?: undefined
  /** Nowhere to go to. */
  readonly url: null
}

/** The credentials were not right. */
export interface CredentialsFailure extends Omit<FailureBase, "code"> {
  readonly kind: "credentials"
  readonly error: "CredentialsSignin"
  /** What the application's `authorize` said of it; `credentials` when it said nothing. */
  readonly code: string
  /** URL of the page that tells the person. */
  readonly page: string | undefined
}

/** The server refused. */
export interface RefusedFailure extends FailureBase {
  readonly kind: "refused"
  /** The type of the error, as on the error page; `Configuration` for everything that is not the person's doing. */
  readonly error: string
  /** URL of the page that tells the person, where there is one. */
  readonly page: string | undefined
}

/** Too many attempts: the application's `rateLimit` said so, or something before it with status 429. */
export interface RateLimitedFailure extends FailureBase {
  readonly kind: "rate-limited"
  readonly error: "TooManyRequests"
  /** How many seconds to wait, where the server named them (RFC 9110 section 10.2.3). */
  readonly retryAfter: number | undefined
  /** URL of the page that tells the person, where there is one. */
  readonly page: string | undefined
}

/** Something answered, and it was no answer of the library: a fault, or a page from another path. */
export interface UnavailableFailure extends FailureBase {
  readonly kind: "unavailable"
  readonly error: "Unavailable"
  /** HTTP status; 503 for a session that could not be checked. */
  readonly status: number
}

/** Nothing came back. */
export interface OfflineFailure extends FailureBase {
  readonly kind: "offline"
  readonly error: "Offline"
}

/** Why something could not be done, or cannot be known. */
export type ClientFailure =
  | CredentialsFailure
  | RefusedFailure
  | RateLimitedFailure
  | UnavailableFailure
  | OfflineFailure

function createFailure<Kind extends string, Type extends string, Facts>(
  kind: Kind,
  error: Type,
  facts: Facts,
) {
  return { ok: false, url: null, kind, error, ...facts } as const
}

export const offlineFailure: OfflineFailure = createFailure("offline", "Offline", {})

export const createUnavailableFailure = (status: number): UnavailableFailure =>
  createFailure("unavailable", "Unavailable", { status })

/** The refusal with the type of an error, and the page that tells of it. */
export function toFailure(
  error: string,
  pageUrl?: string,
  retryAfter?: number,
  code?: string | null,
): ClientFailure {
  if (error === "TooManyRequests")
    return createFailure("rate-limited", error, { page: pageUrl, retryAfter })
  if (error !== "CredentialsSignin") return createFailure("refused", error, { page: pageUrl })
  return createFailure("credentials", error, { page: pageUrl, code: code || "credentials" })
}

/** Thrown where a failure cannot be returned. `failure` says what it was. */
export class ClientError extends Error {
  override readonly name: string = "ClientError"
  readonly failure: ClientFailure

  /** @param path the action that was asked, below the base path */
  constructor(failure: ClientFailure, path: string) {
    super(`${path}: ${failure.error}${createHint(failure)}`)
    this.failure = failure
  }
}

function createHint(failure: ClientFailure): string {
  return "status" in failure ? `, status ${failure.status}. Is \`basePath\` right?` : ""
}
