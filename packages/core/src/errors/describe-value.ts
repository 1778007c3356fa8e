import { isError } from "../objects.ts"

/** Longest text that a message quotes, in characters. */
const maxTextLength = 60

/** User and password of a URL. */
const urlUserInfo = /\/\/[^\s/@]*@/

/** Describes a value for a message. Not for secrets. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing"
  if (typeof value === "string")
    return JSON.stringify(value.replace(urlUserInfo, "//").slice(0, maxTextLength))
  if (typeof value === "function") return "a function"
  if (typeof value === "symbol") return "a symbol"
  if (typeof value !== "object") return String(value)
  if (isPromise(value)) return "a promise"
  return Array.isArray(value) ? `an array of ${value.length}` : "an object"
}

/** Describes a secret value without revealing it. */
export function describeShape(value: unknown): string {
  if (value === undefined || value === null || value === "") return "none"
  return typeof value === "string" ? `${value.length} characters` : `a ${typeof value}`
}

/** Returns the message of an error, and any other thrown value as text. */
export function getErrorMessage(error: unknown): string {
  if (isError(error)) return error.message
  return typeof error === "object" ? describeValue(error) : String(error)
}

/** Whether a value is a promise, most often because an `await` is missing. */
export function isPromise(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value
}
