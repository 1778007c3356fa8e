/** What an answer of the server says. */
import { type Failure, refusal, unavailable } from "./failure.ts"

/** An answer that holds what was asked for. */
export interface Told<Body = unknown> {
  readonly ok: true
  readonly body: Body
}

/** An answer that says where to go. */
export interface Led {
  readonly ok: true
  /** Absolute, and http or https. */
  readonly url: string
}

/** How to understand the JSON of a good answer. May throw what `JSON.parse` and `new URL` throw. */
export type Reading<T> = (body: unknown, response: Response, asked: string) => T | Failure

/** Understands an answer, given its text and the URL that was asked. */
export function understood<T>(
  reading: Reading<T>,
  response: Response,
  text: string,
  asked: string,
): T | Failure {
  const { status, headers } = response
  if (status === 429) {
    return refusal("TooManyRequests", undefined, Number(headers.get("retry-after")) || undefined)
  }
  try {
    const body: unknown = JSON.parse(text)
    if (status === 200) return reading(body, response, asked)
    if (status === 400 && body === null) return refusal("MissingCSRF")
  } catch {
    // It is no answer of the library: a page, say, because the base path is another one.
  }
  return unavailable(status)
}

/** Reads what `csrf`, `providers` and `session` answer. */
export const told: Reading<Told> = (body) => ({ ok: true, body })

/** Reads what the actions answer that lead on. */
export const led: Reading<Led> = (body, { status, headers, url }, asked) => {
  const target = new URL(textIn(body, "url") ?? "none:", url || asked)
  if (!/^https?:$/.test(target.protocol)) return unavailable(status)
  const query = target.searchParams
  const error = query.get("error")
  // A page to go back to may have told of an error before: what is an error itself has no Location.
  if (error === null || headers.has("location")) return { ok: true, url: target.href }
  return refusal(error, target.href, undefined, query.get("code"))
}

/** A text in a JSON object. */
export function textIn(body: unknown, name: string): string | undefined {
  const value: unknown = Object(body)[name]
  return typeof value === "string" ? value : undefined
}
