/** One request in flight. */
import type { AuthAction } from "../types.ts"
import type { CookieJar, CookieTable, RequestCookies } from "./cookies.ts"
import type { Trace } from "./trace.ts"

/** What sessions need to know of a request: enough to read one, and to answer with cookies. */
export interface Visit {
  /** Scheme, host and port. */
  readonly origin: string
  readonly cookies: RequestCookies
  /** The library's cookies under the names that this scheme has. */
  readonly table: CookieTable
  /** The cookies of the answer. */
  readonly jar: CookieJar
  /** What was looked at, for the developer. */
  readonly trace: Trace
}

/** What a body held. Keys and values are a stranger's. */
export type Body = Readonly<Record<string, unknown>>

/** What was worked out for a request and is asked for again; in a `WeakMap` it would keep the garbage collector busy. */
export interface Recollection {
  /** Where the person goes afterwards. */
  landing?: Promise<string>
  /** The token that the forms of the answer have. */
  formToken?: string
}

/** A parsed request to one of the actions. */
export interface Exchange extends Visit {
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly method: "GET" | "POST"
  readonly url: URL
  /** Of the URL, with its question mark; empty for none. */
  readonly search: string
  /** The origin as cookies have it. */
  readonly sentOrigin: string
  readonly headers: Headers
  readonly query: URLSearchParams
  readonly body: Body
  /** The fields of a form as they were sent, repetitions included; empty for other bodies. */
  readonly form: URLSearchParams
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  readonly recollection: Recollection
}

/** A text field of a body; anything but text counts as absent. */
export function textOf(body: Body, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === "string" ? value : undefined
}
