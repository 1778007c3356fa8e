/** From an outcome to an answer, and from there to a Response. */
import { createTextBody } from "#text-body"
import type { Cookie } from "../types.ts"
import type { ActionOutcome } from "./action-outcome.ts"
import { serializeCookie } from "./cookies.ts"

/** Status, headers and body of an answer. */
interface ResponseContent {
  readonly status: number
  /** By name in lower case; without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
}

/** What goes back to the client, before it is a `Response`: servers without web objects write it as it is. */
export interface PlainResponse extends ResponseContent {
  /** Lines of `Set-Cookie`. */
  readonly setCookieLines: readonly string[]
}

const noStoreHeaders = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
}

const securityHeaders = {
  "x-content-type-options": "nosniff",
  // The address of a callback holds a code or token: it goes nowhere else.
  "referrer-policy": "no-referrer",
}

const uncachedHeaders = { ...securityHeaders, ...noStoreHeaders }
const uncachedJsonHeaders = { ...uncachedHeaders, "content-type": "application/json" }
const cacheableJsonHeaders = { ...securityHeaders, "content-type": "application/json" }

/** The sets that most answers have, ready: a Response copies a `Headers` in half the time that it reads a list in. */
const prebuiltHeaders = new Map<ResponseContent["headers"], Headers>(
  [uncachedHeaders, uncachedJsonHeaders, cacheableJsonHeaders].map((headers) => [
    headers,
    new Headers(headers),
  ]),
)

/** @throws TypeError when a callback returned what JSON cannot carry */
function stringifyJson(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    const expected = "the `session` callback to return what JSON can carry: no BigInt, no circle"
    throw new TypeError(`The answer cannot be written. Expected ${expected}`, { cause })
  }
}

/**
 * What an outcome says.
 *
 * @param asJson the client asked to be told where to go instead of being sent there
 */
export function renderOutcome(outcome: ActionOutcome, asJson: boolean): ResponseContent {
  switch (outcome.kind) {
    case "redirect": {
      const location = outcome.to
      if (!asJson) return { status: 302, headers: { ...uncachedHeaders, location }, body: null }
      const body = JSON.stringify({ url: location })
      return { status: 200, headers: { ...uncachedJsonHeaders, location }, body }
    }
    case "json": {
      const headers = outcome.cache === "no-store" ? uncachedJsonHeaders : cacheableJsonHeaders
      return { status: outcome.status, headers, body: stringifyJson(outcome.body) }
    }
    case "page":
      return {
        status: outcome.page.status,
        headers: { ...uncachedHeaders, ...lowerCaseNames(outcome.page.headers) },
        body: outcome.page.html,
      }
    case "empty":
      return { status: outcome.status, headers: uncachedHeaders, body: null }
  }
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/**
 * An answer and its cookies.
 *
 * @throws TypeError for what no header can carry
 */
export function createPlainResponse(
  content: ResponseContent,
  cookies: readonly Cookie[],
): PlainResponse {
  const { status, headers, body } = content
  const lines = cookies.map(serializeCookie)
  const isWritable = (value: string): boolean => headerValuePattern.test(value)
  const isPrebuilt = prebuiltHeaders.has(headers)
  if ((isPrebuilt || Object.values(headers).every(isWritable)) && lines.every(isWritable)) {
    return { status, headers, body, setCookieLines: lines }
  }
  throw new TypeError("A header of the answer has characters that no header can carry")
}

/** RFC 9110 section 5.5. */
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** An answer in web terms. */
export function toResponse({ status, headers, body, setCookieLines }: PlainResponse): Response {
  const init = { status, headers: prebuiltHeaders.get(headers) ?? Object.entries(headers) }
  const response = new Response(body === null ? null : createTextBody(body), init)
  for (const line of setCookieLines) response.headers.append("set-cookie", line)
  return response
}
