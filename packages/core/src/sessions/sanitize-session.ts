/** What a `session` callback answered, as it is given out. */
import type { Session } from "../types.ts"

/**
 * The session to give out, or null when the callback answered none.
 *
 * @param token of a database session: it is the session, so scripts never get it, wherever in the answer it is
 * @throws TypeError when the answer is no session
 */
export function sanitizeSession(callbackResult: unknown, token?: string): Session | null {
  if (callbackResult === null || callbackResult === undefined) return null
  if (typeof callbackResult !== "object" || Array.isArray(callbackResult)) {
    throw new TypeError("The `session` callback must return a session, or null for none")
  }
  // The application's word for what it returns.
  const session = (
    token === undefined ? callbackResult : omitText({ ...callbackResult }, token, new Set())
  ) as Session
  const expires: unknown = session.expires // a Date, when a callback hands on what the database has
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

/** A copy of plain data without a text. Instances of classes stay what they are. */
function omitText(value: unknown, text: string, path: Set<unknown>): unknown {
  // A circle cannot become JSON anyway, and is left as it is.
  if (!isPlainData(value) || path.has(value)) return value
  path.add(value)
  const copy = Array.isArray(value)
    ? value.filter((item) => item !== text).map((item) => omitText(item, text, path))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => item !== text)
          .map(([name, item]) => [name, omitText(item, text, path)]),
      )
  path.delete(value)
  return copy
}

function isPlainData(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
