/** The words in which the rules of a configuration are written. */
import { InvalidOption } from "../errors.ts"

/** What has to hold of an option. */
export interface Rule {
  readonly holds: boolean
  /** Where it is written, such as `session.maxAge`. */
  readonly option: string
  /** What it has to be, after "to be". */
  readonly kind: string
  readonly value: unknown
  readonly hint?: string
  /** What is there, where the value says too little or too much. */
  readonly came?: string
}

/** A rule: whether a value is what it has to be. */
export function rule(
  option: string,
  value: unknown,
  holds: boolean,
  kind: string,
  hint?: string,
): Rule {
  return { option, value, holds, kind, ...(hint === undefined ? {} : { hint }) }
}

/** The rules that do not hold, as errors. */
export function broken(rules: readonly Rule[]): InvalidOption[] {
  return rules
    .filter(({ holds }) => !holds)
    .map(
      ({ option, kind, value, hint, came }) =>
        new InvalidOption({
          option,
          expected: `\`${option}\` to be ${kind}`,
          came: came ?? described(value),
          ...(hint === undefined ? {} : { hint }),
        }),
    )
}

/** Something that has an effect nobody can want, or none at all. It is logged, and breaks nothing. */
export interface Advice {
  readonly type: "UnknownOption" | "IgnoredOption" | "IncompleteProvider"
  readonly option: string
  readonly expected: string
  readonly came?: string
  readonly hint: string
}

/** Longest text that is repeated, in characters. */
const longestText = 60

/** User and password of a URL. */
const credentials = /\/\/[^\s/@]*@/

/** A value as a message may have it. Not for secrets. */
export function described(value: unknown): string {
  if (value === undefined || value === null) return "nothing"
  if (typeof value === "string")
    return JSON.stringify(value.replace(credentials, "//").slice(0, longestText))
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
