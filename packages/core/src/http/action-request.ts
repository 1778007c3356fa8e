/** One request in flight. */
import type { AuthAction } from "../types.ts"
import type { CookieDefinitions, CookieJar, RequestCookies } from "./cookies.ts"
import type { ErrorReportRecorder } from "./error-report.ts"

/** What sessions need to know of a request: enough to read one, and to answer with cookies. */
export interface SessionContext {
  /** Scheme, host and port. */
  readonly origin: string
  readonly cookies: RequestCookies
  /** The library's cookies under the names that this scheme has. */
  readonly cookieDefinitions: CookieDefinitions
  /** The cookies of the answer. */
  readonly jar: CookieJar
  /** Records what an error report tells the developer; undefined in production. */
  readonly reportRecorder: ErrorReportRecorder | undefined
}

/** What a body held. Keys and values are a stranger's. */
export type RequestBody = Readonly<Record<string, unknown>>

/** What was worked out for a request and is asked for again; in a `WeakMap` it would keep the garbage collector busy. */
export interface RequestCache {
  /** Where the person goes afterwards. */
  callbackUrl?: Promise<string>
  /** The token that the forms of the answer have. */
  csrfToken?: string
}

/** A parsed request to one of the actions. */
export interface ActionRequest extends SessionContext {
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly method: "GET" | "POST"
  readonly url: URL
  /** Of the URL, with its question mark; empty for none. */
  readonly search: string
  /** The origin as cookies have it. */
  readonly encodedOrigin: string
  readonly headers: Headers
  readonly query: URLSearchParams
  readonly body: RequestBody
  /** The fields of a form as they were sent, repetitions included; empty for other bodies. */
  readonly form: URLSearchParams
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  readonly requestCache: RequestCache
}

/** A text field of a body; anything but text counts as absent. */
export function readTextField(body: RequestBody, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === "string" ? value : undefined
}
