/** From an outcome to a Response. */
import type { Cookie } from "../types.ts"
import { serializeCookie } from "./cookies.ts"
import type { Outcome } from "./outcome.ts"

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

/** Status, headers and body of an outcome. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * The answer for an outcome.
 *
 * @param asJson the client asked to be told where to go instead of being sent there
 */
export function answerOf(outcome: Outcome, asJson: boolean): Answer {
  switch (outcome.kind) {
    case "redirect": {
      const location = outcome.to
      if (!asJson) return { status: 302, headers: { ...unkept, location }, body: null }
      const body = JSON.stringify({ url: location })
      return { status: 200, headers: { ...freshJson, location }, body }
    }
    case "json": {
      const headers = outcome.cache === "no-store" ? freshJson : lastingJson
      return { status: outcome.status, headers, body: JSON.stringify(outcome.body) }
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

/** Writes an answer and its cookies. */
export function respond(answer: Answer, cookies: readonly Cookie[]): Response {
  const { status, body } = answer
  // Not by way of a `Headers`: filling one is dear, and the Response fills its own.
  const headers = Object.entries(answer.headers)
  for (const cookie of cookies) headers.push(["set-cookie", serializeCookie(cookie)])
  return new Response(body, { status, headers })
}
