/** A request while it is handled. */
import type { AuthAction } from "../types.ts"
import type { CookieDefinitions, CookieJar, RequestCookies } from "./cookies.ts"
import type { ErrorReportRecorder } from "./error-report.ts"

/** The part of a request that sessions use: enough to read one, and to set cookies on the response. */
export interface SessionContext {
  /** Scheme, host and port. */
  readonly origin: string
  readonly cookies: RequestCookies
  /** The library's cookies under the names for this scheme. */
  readonly cookieDefinitions: CookieDefinitions
  /** The cookies of the response. */
  readonly jar: CookieJar
  /** Records what an error report tells the developer; undefined in production. */
  readonly reportRecorder: ErrorReportRecorder | undefined
}

/** The fields of a body. Names and values are untrusted. */
export type RequestBody = Readonly<Record<string, unknown>>

/** Results that a request needs more than once. Entries of a `WeakMap` would cost more in garbage collection. */
export interface RequestCache {
  /** Where the browser goes after the action. */
  callbackUrl?: Promise<string>
  /** The token for forms in the response. */
  csrfToken?: string
}

/** A parsed request to one of the actions. */
export interface ActionRequest extends SessionContext {
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly method: "GET" | "POST"
  readonly url: URL
  /** The query with its question mark; empty if there is none. */
  readonly search: string
  /** The origin in the encoding of cookies. */
  readonly encodedOrigin: string
  readonly headers: Headers
  readonly query: URLSearchParams
  readonly body: RequestBody
  /** The fields of a form as they were sent, including repetitions; empty for other bodies. */
  readonly form: URLSearchParams
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly requestCache: RequestCache
}

/** Returns a text field of a body, and undefined for values of other types. */
export function readTextField(body: RequestBody, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === "string" ? value : undefined
}
