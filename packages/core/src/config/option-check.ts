/** The words in which the rules of a configuration are written. */
import { InvalidOption } from "../errors.ts"

/** What has to hold of an option. */
export interface OptionCheck {
  readonly isValid: boolean
  /** Where it is written, such as `session.maxAge`. */
  readonly option: string
  /** What it has to be, after "to be". */
  readonly expectedKind: string
  readonly value: unknown
  readonly hint?: string
  /** What is there, where the value says too little or too much. */
  readonly received?: string
}

/** A rule: whether a value is what it has to be. */
export function checkOption(
  option: string,
  value: unknown,
  isValid: boolean,
  expectedKind: string,
  hint?: string,
): OptionCheck {
  return { option, value, isValid, expectedKind, ...(hint === undefined ? {} : { hint }) }
}

/** The rules that do not hold, as errors. */
export function toOptionErrors(checks: readonly OptionCheck[]): InvalidOption[] {
  return checks
    .filter(({ isValid }) => !isValid)
    .map(
      ({ option, expectedKind, value, hint, received }) =>
        new InvalidOption({
          option,
          expected: `\`${option}\` to be ${expectedKind}`,
          received: received ?? describeValue(value),
          ...(hint === undefined ? {} : { hint }),
        }),
    )
}

/** Something that has an effect nobody can want, or none at all. It is logged, and breaks nothing. */
export interface ConfigWarning {
  readonly type: "UnknownOption" | "IgnoredOption" | "IncompleteProvider"
  readonly option: string
  readonly expected: string
  readonly received?: string
  readonly hint: string
}

/** Longest text that is repeated, in characters. */
const maxTextLength = 60

/** User and password of a URL. */
const urlUserInfo = /\/\/[^\s/@]*@/

/** A value as a message may have it. Not for secrets. */
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

/** Whether somebody forgot to wait for it. */
export function isPromise(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value
}
