/** Which fields of a form say whose account it is. */
import type { CredentialInput } from "../types.ts"

type FormFields = Readonly<Record<string, CredentialInput>>

const secretNamePattern =
  /passw|passphrase|passcode|pwd|secret|token|^(?:t?otp|pin|code)$|(?:access|auth|backup|login|mfa|one[-_]?time|recovery|security|verification)[-_]?code$/i

/** Whether a field is for a password or a code. Applications with pages of their own often declare it without a type. */
export function isSecretField(name: string, input: CredentialInput): boolean {
  return isDeclaredSecret(input) || secretNamePattern.test(name)
}

function isDeclaredSecret({ type, autocomplete = "" }: CredentialInput): boolean {
  return type === "password" || /\b(?:one-time-code|(?:current|new)-password)\b/i.test(autocomplete)
}

/** Rules for the field that names the account, most reliable first. A form may begin with a tenant or a captcha. */
const fieldRules: readonly ((name: string, input: CredentialInput) => boolean)[] = [
  (_, { autocomplete }) => /\busername\b/i.test(autocomplete ?? ""),
  (_, { type, autocomplete }) => type === "email" || /\bemail\b/i.test(autocomplete ?? ""),
  (name) => /^(?:user[-_]?name|e[-_]?mail|login|user)$/i.test(name),
  (name, input) => !isSecretField(name, input),
  (_, { type }) => type !== "password",
]

/** Returns the name of the field that names the account; undefined if all fields are passwords, or there are none. */
export function findIdentifierField(fields: FormFields): string | undefined {
  const names = Object.keys(fields)
  const matches = fieldRules.map((rule) => names.find((name) => rule(name, fields[name] ?? {})))
  return matches.find((name) => name !== undefined)
}

/**
 * Returns the names of the fields that may say, beside the one that names the account, whose account it is, such as a
 * tenant: all but passwords and one-time codes.
 */
export function findTenantFields(fields: FormFields): readonly string[] {
  const identifierField = findIdentifierField(fields)
  return Object.keys(fields).filter((name) => {
    // Only what is declared: a field called `code` may be for the code of a company.
    return name !== identifierField && !isDeclaredSecret(fields[name] ?? {})
  })
}
