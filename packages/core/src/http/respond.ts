/** From an outcome to an answer, and from there to a Response. */
import { textBody } from "#text-body"
import type { Cookie } from "../types.ts"
import { serializeCookie } from "./cookies.ts"
import type { Outcome } from "./outcome.ts"

/** Status, headers and body of an answer. */
interface Content {
  readonly status: number
  /** By name in lower case; without `set-cookie`. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
}

/** What goes back to the client, before it is a `Response`: servers without web objects write it as it is. */
export interface Answer extends Content {
  /** Lines of `Set-Cookie`. */
  readonly cookies: readonly string[]
}

const noStore = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
}

const safe = {
  "x-content-type-options": "nosniff",
  // The address of a callback holds a code or token: it goes nowhere else.
  "referrer-policy": "no-referrer",
}

const unkept = { ...safe, ...noStore }
const freshJson = { ...unkept, "content-type": "application/json" }
const lastingJson = { ...safe, "content-type": "application/json" }

/** The sets that most answers have, ready: a Response copies a `Headers` in half the time that it reads a list in. */
const filled = new Map<Content["headers"], Headers>(
  [unkept, freshJson, lastingJson].map((headers) => [headers, new Headers(headers)]),
)

/** @throws TypeError when a callback returned what JSON cannot carry */
function jsonOf(body: unknown): string {
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
export function contentOf(outcome: Outcome, asJson: boolean): Content {
  switch (outcome.kind) {
    case "redirect": {
      const location = outcome.to
      if (!asJson) return { status: 302, headers: { ...unkept, location }, body: null }
      const body = JSON.stringify({ url: location })
      return { status: 200, headers: { ...freshJson, location }, body }
    }
    case "json": {
      const headers = outcome.cache === "no-store" ? freshJson : lastingJson
      return { status: outcome.status, headers, body: jsonOf(outcome.body) }
    }
    case "page":
      return {
        status: outcome.page.status,
        headers: { ...unkept, ...lowerCase(outcome.page.headers) },
        body: outcome.page.html,
      }
    case "empty":
      return { status: outcome.status, headers: unkept, body: null }
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/**
 * An answer and its cookies.
 *
 * @throws TypeError for what no header can carry
 */
export function answerWith(content: Content, cookies: readonly Cookie[]): Answer {
  const { status, headers, body } = content
  const lines = cookies.map(serializeCookie)
  const isWritable = (value: string): boolean => headerValue.test(value)
  const isFixed = filled.has(headers)
  if ((isFixed || Object.values(headers).every(isWritable)) && lines.every(isWritable)) {
    return { status, headers, body, cookies: lines }
  }
  throw new TypeError("A header of the answer has characters that no header can carry")
}

/** RFC 9110 section 5.5. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** An answer in web terms. */
export function respond({ status, headers, body, cookies }: Answer): Response {
  const init = { status, headers: filled.get(headers) ?? Object.entries(headers) }
  const response = new Response(body === null ? null : textBody(body), init)
  for (const line of cookies) response.headers.append("set-cookie", line)
  return response
}
