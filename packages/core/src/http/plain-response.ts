/** Turns an outcome into a response without web objects, and that into a `Response`. */
import { createBody } from "../runtime/platform.ts"
import type { Cookie } from "../types.ts"
import type { ActionOutcome } from "./action-outcome.ts"
import { serializeCookie } from "./cookies.ts"

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

const contentType = "application/json"
const uncachedJsonHeaders = { ...uncachedHeaders, "content-type": contentType }
const cacheableJsonHeaders = { ...cacheableHeaders, "content-type": contentType }

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
    case "redirect":
      return {
        status: outcome.status ?? 302,
        headers: uncachedHeaders,
        location: outcome.to,
        body: null,
      }
    case "json": {
      const headers = outcome.cache === "no-store" ? uncachedJsonHeaders : cacheableJsonHeaders
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
  const isValid = values.every((value) => headerValuePattern.test(value))
  if (isValid) return { ...content, setCookieLines: cookies.map(serializeCookie) }
  throw new TypeError("A header of the response has characters that headers cannot carry")
}

export function toResponse(plainResponse: PlainResponse): Response {
  const { status, headers, location, body, setCookieLines } = plainResponse
  const response = new Response(body === null ? null : createBody(body), { status, headers })
  if (location !== undefined) response.headers.set("location", location)
  for (const line of setCookieLines) response.headers.append("set-cookie", line)
  return response
}
