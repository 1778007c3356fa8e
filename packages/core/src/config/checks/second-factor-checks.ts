/** Finds the errors in the option `secondFactor`. Loads with its methods. */
import type { Adapter } from "../../adapters.ts"
import { describeValue } from "../../errors/describe-value.ts"
import { type AuthError, InvalidOption, MissingAdapter } from "../../errors.ts"
import { secondFactorPath } from "../../http/route.ts"
import { isObject } from "../../objects.ts"
import { factorMethods, findMissingMethods } from "../adapter-methods.ts"
import { createMissingMethodsError } from "../adapter-store.ts"
import type { FactorConfig, SecondFactorOptions } from "../second-factor-options.ts"

const neededMethods = [
  ...(["getUser", "createVerificationToken", "useVerificationToken"] as const),
  ...factorMethods,
] satisfies (keyof Adapter)[]

const methodIds: readonly unknown[] = ["totp", "recovery-codes", "passkey", "email-codes"]

/** The longest time that a device can be trusted, in seconds: 30 days. */
const maxTrustAge = 2_592_000

/** Returns what is wrong with the option, which has at least one method. */
export function findFactorErrors(config: FactorConfig): AuthError[] {
  const { secondFactor, adapter, providers } = config
  if (!secondFactor) return []
  const errors: AuthError[] = []
  const addError = (option: string, expected: string, received: string, hint: string) =>
    errors.push(new InvalidOption({ option, expected, received, hint }))
  const ids = secondFactor.methods.map((method: unknown) => isObject(method) && method["id"])
  if (!ids.every((id) => methodIds.includes(id)))
    addError(
      "secondFactor.methods",
      "`totp()`, `passkeys()`, `emailCodes()` and `recoveryCodes()`",
      ids.map(describeValue).join(", "),
      "Import them from `@latchkey/core/second-factor`.",
    )
  else if (!ids.includes("totp"))
    addError(
      "secondFactor.methods",
      "`totp()` among the methods",
      ids.join(" and "),
      "Everybody can have an app; recovery codes only replace another factor.",
    )
  const passkeyIds = [...providers.values()]
    .filter(({ type }) => type === "webauthn")
    .map(({ id }) => id)
  if (ids.includes("passkey") && !passkeyIds.some((id) => secondFactor.accept?.[id] === true))
    addError(
      "secondFactor.methods",
      "a passkey provider whose sign-ins count as two factors, with `passkeys()`",
      passkeyIds.length === 0 ? "no passkey provider" : "one that `accept` does not name",
      `Write \`accept: { ${passkeyIds[0] ?? "passkey"}: true }\`.`,
    )
  if (ids.includes("email-codes")) errors.push(...checkEmailCodes(config))
  const { require, trustDevice, accept } = secondFactor
  if (!isObject(accept ?? {}))
    addError("secondFactor.accept", "an object", describeValue(accept), acceptHint)
  if (require !== undefined && typeof require !== "function")
    addError("secondFactor.require", "a function", describeValue(require), requireHint)
  const trustAge = isObject(trustDevice) ? trustDevice.maxAge : Number.NaN
  if (trustDevice !== undefined && !(Number.isInteger(trustAge) && isTrustAge(trustAge)))
    addError(
      "secondFactor.trustDevice",
      "an object with `maxAge`, a whole number of seconds and at most 30 days",
      isObject(trustDevice) ? describeValue(trustAge) : describeValue(trustDevice),
      "Write `trustDevice: { maxAge: 30 * 24 * 3600 }`.",
    )
  if (providers.has(secondFactorPath))
    addError(
      "providers",
      "providers with other ids",
      `\`${secondFactorPath}\`, which the path of the second factor has`,
      "Rename it.",
    )
  return [...errors, ...checkAdapter(adapter), ...checkAccepted(secondFactor, providers)]
}

function checkEmailCodes({ providers, mailer }: FactorConfig): AuthError[] {
  const errors: AuthError[] = []
  const byEmail = [...providers.values()].find(
    (each) => each.type === "email" || ("allowEmailLinking" in each && each.allowEmailLinking),
  )
  if (byEmail)
    errors.push(
      new InvalidOption({
        option: "secondFactor.methods",
        expected:
          "no provider that signs in by e-mail, or that links accounts by address, with `emailCodes()`",
        received: `the provider \`${byEmail.id}\``,
        hint: "Whoever reads the mailbox of a user would have both factors. Remove one of the two.",
      }),
    )
  if (!mailer)
    errors.push(
      new InvalidOption({
        option: "mailer",
        expected: "the option `mailer`, which sends the codes of `emailCodes()`",
        received: describeValue(mailer),
        hint: "Write `mailer: nodemailer({ server, from })`.",
      }),
    )
  return errors
}

const requireHint = 'Write `require: (user) => user.email?.endsWith("@example.com") ?? true`.'

const acceptHint = "Compare it with docs/second-factor.md#factors-of-a-provider."

const isTrustAge = (seconds: number): boolean => seconds > 0 && seconds <= maxTrustAge

function checkAdapter(adapter: Adapter | undefined): AuthError[] {
  const option = "secondFactor"
  if (!adapter) {
    const hint = "Second factors are stored in a database: set `adapter`."
    return [new MissingAdapter({ option, expected: "an `adapter`", received: "nothing", hint })]
  }
  const missing = findMissingMethods(adapter, neededMethods)
  if (missing.length === 0) return []
  const hint =
    "Pass `secondFactor: true` to SqlAdapter (with MikroORM, to defineEntities) and migrate the database, or use an adapter " +
    "that has these methods."
  const expected = `the adapter to have ${missing.join(", ")}`
  return [createMissingMethodsError(missing, { option, expected, hint })]
}

function checkAccepted(
  { accept = {} }: SecondFactorOptions,
  providers: FactorConfig["providers"],
): AuthError[] {
  return Object.entries(Object(accept) as typeof accept).flatMap(([id, rule]) => {
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
    const received = describeValue(rule)
    return new InvalidOption({ option, expected, received, hint: acceptHint })
  })
}
