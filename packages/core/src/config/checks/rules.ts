/** Rules for the values of options, and the errors of options that break them. */

import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, InvalidOption } from "../../errors.ts"
import { isObject } from "../../objects.ts"

/**
 * A rule for the value of an option. The context is the configuration, or the provider that has the option; `option` is
 * its path.
 */
export interface Rule<Context = unknown> {
  readonly isValid: (value: unknown, context: Context, option: string) => boolean
  /** Whether the rule also applies if the option is omitted. */
  readonly isRequired?: boolean
  /** Completes the sentence "Expected `option` to be …". */
  readonly expected: string
  readonly hint: string | ((context: Context, option: string) => string)
  /** @defaultValue {@link describeValue} */
  readonly describe?: (value: unknown, context: Context) => string
  /** @defaultValue {@link InvalidOption} */
  readonly ErrorClass?: typeof AuthError
}

export const functionRule: Rule = {
  isValid: (value) => typeof value === "function",
  expected: "a function",
  hint: "Pass the function itself, not its result, or omit the option to use the default.",
}

/**
 * Creates the rule of an option that is true, false, or an object with some of the given members. The error names the
 * members that are wrong.
 */
export function createMembersRule(
  checks: Readonly<Record<string, (value: unknown) => boolean>>,
  hint: string,
): Rule {
  const isWrong = ([name, member]: [string, unknown]) =>
    member !== undefined && !(Object.hasOwn(checks, name) && checks[name]?.(member))
  return {
    isValid: (value) =>
      typeof value === "boolean" || (isObject(value) && !Object.entries(value).some(isWrong)),
    expected: `true, or an object with ${Object.keys(checks).join(", ")}`,
    describe: (value) =>
      isObject(value)
        ? Object.entries(value)
            .filter(isWrong)
            .map(([name, member]) => `${name}: ${describeValue(member)}`)
            .join(", ")
        : describeValue(value),
    hint,
  }
}

/**
 * Returns an error for each option that breaks its rule.
 *
 * @param options the object that has the options, which the keys of `rules` name by their path
 * @param provider the id of the provider that has these options
 */
export function findBrokenRules<Context>(
  rules: Readonly<Record<string, Rule<Context>>>,
  options: object,
  context: Context,
  provider?: string,
): AuthError[] {
  return Object.entries(rules).flatMap(([path, rule]) => {
    const { describe = describeValue, ErrorClass = InvalidOption, hint } = rule
    const value = readPath(options, path)
    if ((value === undefined && !rule.isRequired) || rule.isValid(value, context, path)) return []
    const option = provider === undefined ? path : `providers.${provider}.${path}`
    return new ErrorClass({
      ...(provider === undefined ? {} : { provider }),
      option,
      expected: `\`${option}\` to be ${rule.expected}`,
      received: describe(value, context),
      hint: typeof hint === "function" ? hint(context, path) : hint,
    })
  })
}

function readPath(options: unknown, path: string): unknown {
  const readMember = (holder: unknown, name: string) =>
    (holder as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return path.split(".").reduce(readMember, options)
}
