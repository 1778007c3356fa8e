/** `Set-Cookie` headers of a response that the application sets cookies on, too. */
import { removeChunkSuffix } from "../http/cookie-chunks.ts"
import { createDeletion, parseCookieName, serializeCookie } from "../http/cookies.ts"
import type { Cookie } from "../types.ts"
import { disableCaching, type HeaderValue } from "./cache-headers.ts"

/**
 * Replaces cookies of a response. Each added cookie replaces an earlier one of the same name, and deletes other chunks
 * (`name.0`, `name.1`) of it: a session that was renewed earlier in the request must not outlive a sign-out, nor mix
 * with the next session. Other cookies stay.
 */
function replaceCookies<C>(
  earlier: readonly C[],
  added: readonly C[],
  getName: (cookie: C) => string,
  toDeletion: (cookie: C) => C,
): C[] {
  const names = new Set(added.map(getName))
  const baseNames = new Set([...names].map(removeChunkSuffix))
  const kept = earlier.filter((cookie) => !names.has(getName(cookie)))
  const isChunk = (cookie: C) => baseNames.has(removeChunkSuffix(getName(cookie)))
  return [...kept.map((cookie) => (isChunk(cookie) ? toDeletion(cookie) : cookie)), ...added]
}

/** The cookies of one response, wherever the framework keeps them. */
export interface ResponseCookies {
  /** Returns the `Set-Cookie` lines so far. */
  getLines(): readonly string[]
  /**
   * Adds cookies: see {@link replaceCookies}.
   *
   * @throws when the response has been sent
   */
  set(cookies: readonly Cookie[]): void
  /** Whether the response has not been sent, if the framework says so. */
  canSet?(): boolean
}

/**
 * Collects the library's cookies for a framework that sets cookies one by one.
 *
 * @param writeCookie passes a cookie to the framework, which replaces an earlier one of the same name
 */
export function createResponseCookies(writeCookie: (cookie: Cookie) => void): ResponseCookies {
  let written: readonly Cookie[] = []
  return {
    getLines: () => written.map(serializeCookie),
    set(cookies) {
      const all = replaceCookies(written, cookies, ({ name }) => name, createDeletion)
      for (const cookie of all) if (!written.includes(cookie)) writeCookie(cookie)
      written = all
    },
  }
}

/** Whether a value is a `Response`. The check does not depend on the realm. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === "[object Response]"
}

/**
 * Returns a copy of a response that sets cookies of the library, and that no cache stores. It is a copy because the headers
 * of a response may be immutable, or those of an object that other requests share. Its body passes untouched.
 *
 * @param lines `Set-Cookie` lines that the response does not have yet
 */
export function createUncachedResponse(
  response: Response,
  lines: readonly string[] = [],
): Response {
  const { body, status, statusText } = response
  // No copy is possible of a network error (`Response.error()`) and of a switch of protocols.
  if (status < 200) return response
  const headers = new Headers(response.headers)
  addSetCookieLines(headers, lines)
  return new Response(body, { status, statusText, headers })
}

/** Adds `Set-Cookie` lines of the library to the headers of a response, and keeps it out of caches. */
export function addSetCookieLines(headers: Headers, lines: readonly string[]): void {
  // In SolidStart 1, the list of a response without cookies contains undefined.
  const merged = mergeSetCookies(headers.getSetCookie().filter(Boolean), lines)
  headers.delete("set-cookie")
  for (const line of merged) headers.append("set-cookie", line)
  disableCaching(
    headers.keys(),
    (name) => headers.get(name),
    (name, value) => headers.set(name, value),
  )
}

/** Adds `Set-Cookie` lines to those of a response: see {@link replaceCookies}. */
export function mergeSetCookies(earlier: readonly string[], added: readonly string[]): string[] {
  return replaceCookies(earlier, added, parseCookieName, toDeletionLine)
}

function toDeletionLine(line: string): string {
  const [, ...attributes] = line.split(";")
  const kept = attributes.filter((attribute) => !/^\s*(?:expires|max-age)=/i.test(attribute))
  return [`${parseCookieName(line)}=; Max-Age=0`, ...kept].join(";")
}

/**
 * Applies `Set-Cookie` lines to a `Cookie` header, as the browser will. Later calls in the same request must use the
 * result: with the original header they would read, renew and thereby restore a session that has changed or ended.
 */
export function applySetCookies(header: HeaderValue, lines: readonly string[]): string {
  if (lines.length === 0) return header ?? ""
  const changes = new Map(
    lines.map((line) => [parseCookieName(line), line.split(";", 1).join().trim()]),
  )
  const kept = (header ?? "").split(";").filter((pair) => !changes.has(parseCookieName(pair)))
  // An empty value deletes the cookie.
  const added = [...changes.values()].filter((pair) => pair.indexOf("=") < pair.length - 1)
  return [...kept.map((pair) => pair.trim()).filter(Boolean), ...added].join("; ")
}
