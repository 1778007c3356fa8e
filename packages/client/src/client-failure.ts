/** The failures of a request from a page to the server, as values and as an error. */

/** The status of a response. */
export interface ResponseStatus {
  /** HTTP status; 0 if there was no response, and absent if there was no request. Refusals of the library have 200. */
  readonly status?: number
}

/** A failure of the client, which a page can handle by its `kind`. */
export interface Failure<Kind extends string, Type extends string> extends ResponseStatus {
  readonly ok: false
  readonly kind: Kind
  /** The type of the error. */
  readonly error: Type
  readonly code?: undefined
  readonly url: null
}

/** A failure that the server has a page for. */
interface FailureWithPage<Kind extends string, Type extends string> extends Failure<Kind, Type> {
  /** URL of the page that explains it, if there is one. */
  readonly page: string | undefined
}

/** The credentials are wrong. */
export interface CredentialsFailure
  extends Omit<FailureWithPage<"credentials", "CredentialsSignin">, "code"> {
  /** The code that the application's `authorize` chose; `credentials` by default. */
  readonly code: string
}

/** The server refused. `error` is `Configuration` for everything that the user cannot do anything about. */
export interface RefusedFailure extends FailureWithPage<"refused", string> {
  /** More about the error, such as `incorrect`, `missing` or `invalid` for the code of an e-mail. */
  readonly reason: string | undefined
  /** How many attempts there are after an incorrect code. */
  readonly attemptsLeft: number | undefined
}

/**
 * There were too many attempts: `attemptLimits`, the application's `rateLimit` or a proxy responded with status 429.
 */
export interface RateLimitedFailure extends FailureWithPage<"rate-limited", "TooManyRequests"> {
  /** How many seconds to wait, if the server said so (RFC 9110 section 10.2.3). */
  readonly retryAfter: number | undefined
}

/** The response did not come from the library: a server error, or a page of another path. */
export interface UnavailableFailure extends Failure<"unavailable", "Unavailable"> {
  /** HTTP status; 503 for a session that could not be checked. */
  readonly status: number
}

/** There was no response. */
export interface OfflineFailure extends Failure<"offline", "Offline"> {}

/** Why something could not be done, or is unknown. */
export type ClientFailure =
  | CredentialsFailure
  | RefusedFailure
  | RateLimitedFailure
  | UnavailableFailure
  | OfflineFailure

export function createFailure<Kind extends string, Type extends string, Details = unknown>(
  kind: Kind,
  error: Type,
  details?: Details,
): Details & { ok: false; url: null; kind: Kind; error: Type } {
  return { ok: false, url: null, kind, error, ...(details as Details) }
}

/** Creates the failure for the type of an error, and the page that explains it, with its query. */
export function toFailure(error: string, page?: string, query?: URLSearchParams): ClientFailure {
  if (error === "TooManyRequests")
    return createFailure("rate-limited", error, { page, retryAfter: undefined })
  const read = (name: string) => query?.get(name) || undefined
  if (error === "CredentialsSignin")
    return createFailure("credentials", error, { page, code: read("code") ?? "credentials" })
  const attemptsLeft = Number(read("attempts")) || undefined
  return createFailure("refused", error, { page, reason: read("reason"), attemptsLeft })
}

/** Thrown by functions that cannot return a failure. */
export class ClientError extends Error {
  override readonly name: string = "ClientError"
  readonly failure: ClientFailure

  /** @param path the requested action, below the base path */
  constructor(failure: ClientFailure, path: string) {
    const hint =
      failure.kind === "unavailable" ? `, status ${failure.status}: check \`basePath\`` : ""
    super(`${path}: ${failure.error}${hint}`)
    this.failure = failure
  }
}
