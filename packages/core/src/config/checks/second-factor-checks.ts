/** Finds the errors in the option `secondFactor`. */
import type { Adapter } from "../../adapters.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, InvalidOption, MissingAdapter } from "../../errors.ts"
import { secondFactorPath } from "../../http/route.ts"
import { isObject } from "../../objects.ts"
import { findMissingMethods } from "../adapter-methods.ts"
import { createMissingMethodsError } from "../adapter-store.ts"
import type { ResolvedConfig } from "../resolved-config.ts"
import type { Rule } from "./rules.ts"

const methodIds: readonly unknown[] = ["totp", "recovery-codes"]

const isMethod = (value: unknown): boolean =>
  isObject(value) && methodIds.includes(value["id"]) && typeof value["verify"] === "function"

export const secondFactorRule: Rule<unknown> = {
  isValid: (value) =>
    isObject(value) &&
    Array.isArray(value["methods"]) &&
    value["methods"].every(isMethod) &&
    value["methods"].some(({ id }) => id === "totp") &&
    isObject(value["accept"] ?? {}),
  expected: "an object with `methods`, of which one is `totp()`",
  hint:
    "Write `secondFactor: { methods: [totp(), recoveryCodes()] }`, with both from `@latchkey/core/second-factor`. Recovery codes " +
    "only replace another factor.",
}

const neededMethods = [
  ...(["getUser", "createVerificationToken", "useVerificationToken"] as const),
  ...(["createFactor", "listFactors", "updateFactor", "deleteFactor"] as const),
] satisfies (keyof Adapter)[]

/** Returns what is wrong beyond the value of the option. */
export function checkSecondFactor(config: Omit<ResolvedConfig, "problems">): AuthError[] {
  const { secondFactor, adapter, providers } = config
  if (!secondFactorRule.isValid(secondFactor, config, "secondFactor")) return []
  const option = "secondFactor"
  const errors: AuthError[] = []
  if (!adapter) {
    const hint = "Second factors are stored in a database: set `adapter`."
    errors.push(new MissingAdapter({ option, expected: "an `adapter`", received: "nothing", hint }))
  }
  const missing = adapter ? findMissingMethods(adapter, neededMethods) : []
  if (missing.length > 0) {
    const hint =
      "Pass `secondFactor: true` to SqlAdapter and migrate the database, or use an adapter that has these methods."
    const expected = `the adapter to have ${missing.join(", ")}`
    errors.push(createMissingMethodsError(missing, { option, expected, hint }))
  }
  if (providers.has(secondFactorPath)) {
    const expected = "providers with other ids"
    const received = `\`${secondFactorPath}\`, which the path of the second factor has`
    errors.push(new InvalidOption({ option: "providers", expected, received, hint: "Rename it." }))
  }
  return [...errors, ...checkAccepted(config)]
}

function checkAccepted({ secondFactor, providers }: Omit<ResolvedConfig, "problems">): AuthError[] {
  return Object.entries(secondFactor?.accept ?? {}).flatMap(([id, rule]) => {
    const provider = providers.get(id)
    const isVerified =
      provider?.type === "webauthn" && provider.authenticationChecks.requireUserVerification
    const isListed =
      provider?.type === "oidc" &&
      isObject(rule) &&
      [rule.acr ?? [], rule.amr ?? []].every(Array.isArray)
    if (rule === true ? isVerified : isListed) return []
    const option = `secondFactor.accept.${id}`
    const expected =
      "true for a passkey provider that verifies its users, or an object with lists `acr` and `amr` for an OpenID Connect provider"
    const hint = "Compare it with docs/second-factor.md#factors-of-a-provider."
    return new InvalidOption({ option, expected, received: describeValue(rule), hint })
  })
}
