/**
 * The limits on attempts to sign in: the rule for the option, and the option applied to the defaults of
 * `config/defaults.ts`.
 */

import type { Rule } from "../../config/checks/rules.ts"
import { defaultAttemptLimits } from "../../config/defaults.ts"
import { isObject, omitUndefined } from "../../objects.ts"

/** At most `max` attempts within a fixed window. */
export interface AttemptLimit {
  max: number
  /** Length of the window, in seconds. */
  window: number
}

/** How attempts are counted: by the network of the client, by the account that they are for, or by the pair of both. */
export type AttemptScope = "network" | "identifierAndNetwork" | "identifier"

/** The actions with limits. In `rateLimit`, `email-code` is an `email-link`. */
export type LimitedAction =
  | "credentials"
  | "email-request"
  | "email-link"
  | "email-code"
  | "webauthn-options"
  | "second-factor"

/** Changes of the default limits. `false` switches a limit off. */
export type AttemptLimits = {
  [Action in LimitedAction]?: false | { [Scope in AttemptScope]?: false | AttemptLimit }
}

/** The limits of each action, in the order in which attempts are counted. */
export type ResolvedAttemptLimits = Readonly<
  Record<LimitedAction, Readonly<Record<AttemptScope, AttemptLimit | false>>>
>

const scopes = ["network", "identifierAndNetwork", "identifier"]

/**
 * Applies the option to the defaults. Ignores parts that break the rule: such a configuration refuses every request.
 */
export function resolveAttemptLimits(option: unknown): ResolvedAttemptLimits {
  const changes: Record<string, unknown> = isObject(option) ? option : {}
  const entries = Object.entries(defaultAttemptLimits).map(([action, limits]) => {
    const change = option === false ? false : changes[action]
    const isOff = change === false
    const off = Object.fromEntries(scopes.map((scope) => [scope, false]))
    return [action, { ...limits, ...(isOff ? off : isObject(change) ? omitUndefined(change) : {}) }]
  })
  return Object.fromEntries(entries)
}

export const attemptLimitsRule: Rule = {
  isValid: (value) =>
    isTable(value, Object.keys(defaultAttemptLimits), (limits) => isTable(limits, scopes, isLimit)),
  expected: "false, or limits by action and scope",
  hint:
    "Write for example `{ credentials: { network: { max: 300, window: 600 } } }`. The actions are " +
    `${Object.keys(defaultAttemptLimits).join(", ")}; the scopes are ${scopes.join(", ")}.`,
}

/** Whether a value is false, or an object with nothing but the known names, whose values are valid. */
function isTable(
  value: unknown,
  names: readonly string[],
  isMember: (member: unknown) => boolean,
): boolean {
  if (!isObject(value)) return value === false
  return Object.entries(value).every(
    ([name, member]) => names.includes(name) && (member === undefined || isMember(member)),
  )
}

function isLimit(value: unknown): boolean {
  if (!isObject(value)) return value === false
  const { max, window } = value
  return [max, window].every((number) => Number.isInteger(number) && Number(number) > 0)
}
