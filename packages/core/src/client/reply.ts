/** What an answer of the server says. */
import { type ClientFailure, createUnavailableFailure, toFailure } from "./client-failure.ts"

/** An answer that holds what was asked for. */
export interface DataReply<Body = unknown> {
  readonly ok: true
  readonly body: Body
}

/** An answer that says where to go. */
export interface RedirectReply {
  readonly ok: true
  /** Absolute, and http or https. */
  readonly url: string
}

/** How to understand the JSON of a good answer. May throw what `JSON.parse` and `new URL` throw. */
export type ReplyParser<T> = (
  body: unknown,
  response: Response,
  requestUrl: string,
) => T | ClientFailure

/** Understands an answer, given its text and the URL that was asked. */
export function parseReply<T>(
  parser: ReplyParser<T>,
  response: Response,
  text: string,
  requestUrl: string,
): T | ClientFailure {
  const { status, headers } = response
  if (status === 429) {
    return toFailure("TooManyRequests", undefined, Number(headers.get("retry-after")) || undefined)
  }
  try {
    const body: unknown = JSON.parse(text)
    if (status === 200) return parser(body, response, requestUrl)
    if (status === 400 && body === null) return toFailure("MissingCSRF")
  } catch {
    // It is no answer of the library: a page, say, because the base path is another one.
  }
  return createUnavailableFailure(status)
}

/** Reads what `csrf`, `providers` and `session` answer. */
export const parseDataReply: ReplyParser<DataReply> = (body) => ({ ok: true, body })

/** Reads what the actions answer that lead on. */
export const parseRedirectReply: ReplyParser<RedirectReply> = (
  body,
  { status, headers, url },
  requestUrl,
) => {
  const target = new URL(readTextProperty(body, "url") ?? "none:", url || requestUrl)
  if (!/^https?:$/.test(target.protocol)) return createUnavailableFailure(status)
  const query = target.searchParams
  const error = query.get("error")
  // A page to go back to may have told of an error before: what is an error itself has no Location.
  if (error === null || headers.has("location")) return { ok: true, url: target.href }
  return toFailure(error, target.href, undefined, query.get("code"))
}

/** A text in a JSON object. */
export function readTextProperty(body: unknown, name: string): string | undefined {
  const value: unknown = Object(body)[name]
  return typeof value === "string" ? value : undefined
}
