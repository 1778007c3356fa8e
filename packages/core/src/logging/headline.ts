/** Composes the line that describes an error: the provider, what failed, the innermost cause, and the fix. */
import { isObject } from "../objects.ts"
import type { LoggedError } from "./redactor.ts"

/** The maximum number of causes to follow. */
const maxCauses = 8

/**
 * Returns one line such as "tenantidp: the sign-in could not be started: connect ECONNREFUSED 127.0.0.1:443. Check …".
 *
 * @param error an error without secrets, whose texts have no line breaks
 */
export function formatHeadline(error: LoggedError): string {
  const causes = listCauses(error)
  const { message, hint: ownHint = "" } = error
  // Some messages end with the hint.
  const statement = removePeriod(message.replace(ownHint, "").trimEnd())
  const reason = removePeriod(findReason(causes))
  const isReasonGiven = statement.includes(reason)
  const text = isReasonGiven ? statement : [statement, reason].filter(Boolean).join(": ")
  const location = findLocation(causes.at(-1) ?? error)
  // The hint of a dependency's error is closer to the cause than that of the type.
  const hint = causes.findLast((cause) => isForeign(cause) && typeof cause.hint === "string")?.hint
  const fix = hint ?? ownHint
  // The message of some errors is only the hint.
  if (text === "") return addProvider(fix, error)
  const sentence = endSentence(addProvider(text, error) + (location && ` (${location})`))
  return [sentence, text.includes(removePeriod(fix)) ? "" : fix].filter(Boolean).join(" ")
}

/** Lists the errors behind an error, outermost first. */
function listCauses({ cause }: LoggedError, maxCount = maxCauses): LoggedError[] {
  const inner = isObject(cause) && "err" in cause ? cause["err"] : cause
  if (maxCount === 0 || !isLoggedError(inner)) return []
  return [inner, ...listCauses(inner, maxCount - 1)]
}

function isLoggedError(value: unknown): value is LoggedError {
  return (
    isObject(value) && typeof value["name"] === "string" && typeof value["message"] === "string"
  )
}

/** Whether an error is not one of the library. */
const isForeign = ({ docs }: LoggedError): boolean => docs === undefined

/** Returns the text of the innermost cause, in the words of the outermost cause that quotes it. */
function findReason(causes: readonly LoggedError[]): string {
  // An error for several addresses of a host has only a code.
  const texts = causes.map(({ message, code }) => message || String(code ?? ""))
  const innermost = texts.findLast(Boolean) ?? ""
  return texts.find((text) => text.includes(innermost)) ?? ""
}

/** Returns where the application's own code threw an error; an empty string for code of packages. */
function findLocation(error: LoggedError): string {
  const [frame = ""] = isForeign(error) ? (error.stack ?? "").split("\n", 1) : []
  const [, location = ""] = /^\s*at (?:.*\()?(.+:\d+:\d+)\)?$/.exec(frame) ?? []
  return /node_modules|^node:|^<anonymous>/.test(location) ? "" : location
}

function addProvider(text: string, { cause }: LoggedError): string {
  const provider = isObject(cause) ? cause["provider"] : undefined
  const [firstSentence = ""] = text.split(". ", 1)
  if (typeof provider !== "string" || firstSentence.includes(provider)) return text
  const isWord = /^[A-Z](?=[a-z\s])/.test(text)
  return `${provider}: ${isWord ? text.charAt(0).toLowerCase() : text.charAt(0)}${text.slice(1)}`
}

const removePeriod = (text: string): string => text.replace(/\.$/, "")

const endSentence = (text: string): string =>
  text === "" || /[!?…]$/.test(text) ? text : `${text}.`
