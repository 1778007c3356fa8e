/** What can go wrong between a page and the server, as values and as an error. */

interface Failed {
  readonly ok: false
  readonly code?: undefined
  /** Nowhere to go to. */
  readonly url: null
}

/** The credentials were not right. */
export interface CredentialsRefused extends Omit<Failed, "code"> {
  readonly kind: "credentials"
  readonly error: "CredentialsSignin"
  /** What the application's `authorize` said of it; `credentials` when it said nothing. */
  readonly code: string
  /** URL of the page that tells the person. */
  readonly page: string | undefined
}

/** The server refused. */
export interface Refused extends Failed {
  readonly kind: "refused"
  /** The type of the error, as on the error page; `Configuration` for everything that is not the person's doing. */
  readonly error: string
  /** URL of the page that tells the person, where there is one. */
  readonly page: string | undefined
}

/** Too many attempts: the application's `rateLimit` said so, or something before it with status 429. */
export interface RateLimited extends Failed {
  readonly kind: "rate-limited"
  readonly error: "TooManyRequests"
  /** How many seconds to wait, where the server named them (RFC 9110 section 10.2.3). */
  readonly retryAfter: number | undefined
  /** URL of the page that tells the person, where there is one. */
  readonly page: string | undefined
}

/** Something answered, and it was no answer of the library: a fault, or a page from another path. */
export interface Unavailable extends Failed {
  readonly kind: "unavailable"
  readonly error: "Unavailable"
  /** HTTP status; 503 for a session that could not be checked. */
  readonly status: number
}

/** Nothing came back. */
export interface Offline extends Failed {
  readonly kind: "offline"
  readonly error: "Offline"
}

/** Why something could not be done, or cannot be known. */
export type Failure = CredentialsRefused | Refused | RateLimited | Unavailable | Offline

function failed<Kind extends string, Type extends string, Facts>(
  kind: Kind,
  error: Type,
  facts: Facts,
) {
  return { ok: false, url: null, kind, error, ...facts } as const
}

export const offline: Offline = failed("offline", "Offline", {})

export const unavailable = (status: number): Unavailable =>
  failed("unavailable", "Unavailable", { status })

/** The refusal with the type of an error, and the page that tells of it. */
export function refusal(
  error: string,
  page?: string,
  retryAfter?: number,
  code?: string | null,
): Failure {
  if (error === "TooManyRequests") return failed("rate-limited", error, { page, retryAfter })
  if (error !== "CredentialsSignin") return failed("refused", error, { page })
  return failed("credentials", error, { page, code: code || "credentials" })
}

/** Thrown where a failure cannot be returned. `failure` says what it was. */
export class ClientError extends Error {
  override readonly name: string = "ClientError"
  readonly failure: Failure

  /** @param path the action that was asked, below the base path */
  constructor(failure: Failure, path: string) {
    super(`${path}: ${failure.error}${hint(failure)}`)
    this.failure = failure
  }
}

function hint(failure: Failure): string {
  return "status" in failure ? `, status ${failure.status}. Is \`basePath\` right?` : ""
}
