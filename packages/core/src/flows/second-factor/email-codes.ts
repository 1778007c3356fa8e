/** Codes by e-mail: for people who have no authenticator app. The address is that of the user when they were turned on. */
import { findFactorErrors } from "../../config/checks/second-factor-checks.ts"
import type { FactorData, FactorMethod } from "../../config/second-factor-options.ts"
import { randomHex, timingSafeEqual } from "../../crypto/random.ts"
import { codeMaxAge } from "../../providers/code-senders.ts"
import { parseCode, toCode } from "../email/email-code.ts"

/**
 * Creates the method that sends codes to the address of the user. They protect against stolen passwords and accounts at
 * providers, but not if the same mailbox also resets the password. Needs the option `mailer`, and no provider that signs in by e-mail.
 *
 * @example
 * secondFactor: { methods: [totp(), emailCodes(), recoveryCodes()] }
 */
export function emailCodes(): FactorMethod {
  return { id: "email-codes", verify: verifyEmailCode, findConfigErrors: findFactorErrors }
}

/** Creates a code that replaces the one before, and what the factor keeps of it, encrypted. */
export function createEmailCode(data: FactorData): {
  readonly code: string
  readonly data: FactorData
} {
  const code = toCode(randomHex())
  return { code, data: { ...data, code, expires: Date.now() + codeMaxAge * 1000 } }
}

/** See `FactorMethod`. A code is accepted once. */
async function verifyEmailCode(
  { code: sent, expires, ...data }: FactorData,
  response: string,
  now: number,
): Promise<FactorData | undefined> {
  const code = parseCode(response)
  const isValid = typeof sent === "string" && Number(expires) > now
  return isValid && code !== undefined && timingSafeEqual(sent, code) ? data : undefined
}

/** Returns an address as somebody sees it who has proven one factor only: `a•••@example.com`. */
export const maskAddress = (address: string): string => address.replace(/^(.)[^@]*/u, "$1•••")
