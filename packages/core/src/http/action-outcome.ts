/** The outcome of an action, the response without web objects that it becomes, and the `Response` of that. */

import type { Cookie, JsonValue } from "../types.ts"
import { serializeCookie } from "./cookies.ts"

/** A page with all of its headers, among them those that protect it. */
export interface PageOutcome {
  readonly kind: "page"
  readonly status: number
  readonly html: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export type ActionOutcome =
  /** With status 303, the same action continues at `to`, so this response sets only its own cookies. */
  | { readonly kind: "redirect"; readonly to: string; readonly status?: 303 | undefined }
  | {
      readonly kind: "json"
      readonly status: number
      readonly body: JsonValue | object
      /** Only the list of providers is the same for everyone, and may be cached. */
      readonly cache: "no-store" | "default"
      /** More headers, by name in lower case. */
      readonly headers?: HeaderRecord
    }
  | PageOutcome
  | { readonly kind: "empty"; readonly status: number }

/** Redirects to a page. Parameters are added to its query. */
export function redirectOutcome(page: string, parameters?: Record<string, string>): ActionOutcome {
  return { kind: "redirect", to: parameters ? appendQuery(page, parameters) : page }
}

export const jsonOutcome = (
  body: JsonValue | object,
  status = 200,
  headers: HeaderRecord = {},
): ActionOutcome => ({ kind: "json", status, body, cache: "no-store", headers })

/** Adds parameters to the URL of a page, which may be relative and have a query and a fragment. */
function appendQuery(page: string, parameters: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = page.split("#")
  const query = new URLSearchParams(parameters).toString()
  const separator = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?"
  return [query === "" ? address : address + separator + query, ...fragment].join("#")
}

/** A response before it becomes a `Response`. Servers without web objects send it as it is. */
export interface PlainResponse {
  readonly status: number
  /** By name in lower case, without `location` and `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>
  readonly location?: string
  readonly body: string | null
  /** The values of the `Set-Cookie` headers. */
  readonly setCookieLines: readonly string[]
}

export type ResponseContent = Omit<PlainResponse, "setCookieLines">
type HeaderRecord = ResponseContent["headers"]

const cacheableHeaders = {
  "x-content-type-options": "nosniff",
  // The URL of a callback contains a code or token.
  "referrer-policy": "no-referrer",
}

export const uncachedHeaders: HeaderRecord = {
  ...cacheableHeaders,
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
}

/** @throws TypeError when a callback returned a value that JSON cannot represent */
function stringifyJson(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    const expected =
      "the `session` callback to return JSON values: no BigInt, no circular reference"
    throw new TypeError(`The response cannot be serialized. Expected ${expected}`, { cause })
  }
}

export function renderOutcome(outcome: ActionOutcome): ResponseContent {
  switch (outcome.kind) {
    case "redirect": {
      const { status = 302, to: location } = outcome
      return { status, headers: uncachedHeaders, location, body: null }
    }
    case "json": {
      const cacheHeaders = outcome.cache === "no-store" ? uncachedHeaders : cacheableHeaders
      const headers = { ...cacheHeaders, "content-type": "application/json", ...outcome.headers }
      return { status: outcome.status, headers, body: stringifyJson(outcome.body) }
    }
    case "page": {
      const { status, headers, html } = outcome
      return { status, headers, body: html }
    }
    case "empty":
      return { status: outcome.status, headers: uncachedHeaders, body: null }
  }
}

/** The characters that headers allow (RFC 9110 section 5.5). */
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Adds cookies to a response.
 *
 * @throws TypeError for characters that headers cannot carry
 */
export function createPlainResponse(
  content: ResponseContent,
  cookies: readonly Cookie[],
): PlainResponse {
  const { headers, location = "" } = content
  const values = [location, ...Object.values(headers)]
  if (values.every((value) => headerValuePattern.test(value)))
    return { ...content, setCookieLines: cookies.map(serializeCookie) }
  throw new TypeError("A header of the response has characters that headers cannot carry")
}

export function toResponse(plainResponse: PlainResponse): Response {
  const { status, headers, location, body, setCookieLines } = plainResponse
  const response = new Response(body, { status, headers })
  if (location !== undefined) response.headers.set("location", location)
  for (const line of setCookieLines) response.headers.append("set-cookie", line)
  return response
}
