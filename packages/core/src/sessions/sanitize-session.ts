/** Checks the result of the `session` callback before the client receives it. */
import type { Session } from "../types.ts"

/**
 * Returns the session for the client; null when the callback returned none.
 *
 * @param token of a database session: it is removed from the result wherever it is, because scripts could use it
 * @throws TypeError when the result is not a session
 */
export function sanitizeSession(callbackResult: unknown, token?: string): Session | null {
  if (callbackResult === null || callbackResult === undefined) return null
  if (typeof callbackResult !== "object" || Array.isArray(callbackResult)) {
    throw new TypeError("The `session` callback must return a session, or null for none")
  }
  const session = (
    token === undefined ? callbackResult : omitText({ ...callbackResult }, token, new Set())
  ) as Session // the application decides what its session holds
  const expires: unknown = session.expires // a Date if the callback returns the stored session
  return expires instanceof Date ? { ...session, expires: expires.toISOString() } : session
}

/** Copies plain data without a text. Instances of classes are not copied. */
function omitText(value: unknown, text: string, path: Set<unknown>): unknown {
  // A cycle cannot become JSON, so it is not copied.
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
