/** Codes of authenticator apps: TOTP (RFC 6238), with SHA-1, six digits and steps of 30 seconds, as all apps support. */
import { findFactorErrors } from "../../config/checks/second-factor-checks.ts"
import type { FactorData, FactorMethod } from "../../config/second-factor-options.ts"
import { timingSafeEqual } from "../../crypto/random.ts"
import { primitives } from "../../runtime/platform.ts"
import { parseCode } from "../email/email-code.ts"
import { decodeBase32, encodeBase32 } from "./base32.ts"
import { computeCode } from "./hotp.ts"

/** The length of the secret in bytes, as RFC 4226 section 4 recommends. */
const secretLength = 20
/** The length of a step, in seconds. */
const stepLength = 30
/** How many steps a clock may be fast or slow (RFC 6238 section 5.2). */
const tolerance = 1

/** The kind of factor for authenticator apps. */
export interface TotpOptions {
  /** The name of your application in the app. @defaultValue `theme.name`, or the host */
  readonly issuer?: string | undefined
}

/**
 * Codes of authenticator apps (RFC 6238), of which each is accepted once.
 *
 * @example
 * secondFactor: { methods: [totp(), recoveryCodes()] }
 */
export function totp({ issuer }: TotpOptions = {}): FactorMethod {
  return { id: "totp", issuer, verify: verifyTotp, findConfigErrors: findFactorErrors }
}

/** Creates a secret, in base32. */
export function createTotpSecret(): string {
  return encodeBase32(primitives.randomBytes(secretLength))
}

/** Returns what a new factor keeps. */
export function createTotpData(secret: string): FactorData {
  return { secret, lastStep: 0 }
}

/** Returns the URL that authenticator apps read from a QR code (the "Key URI Format"). */
export function createTotpUrl(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  // Apps read a plus sign as it is.
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}`
}

/** See `FactorMethod`. A step is accepted once, and then no earlier one (RFC 6238 section 5.2). */
async function verifyTotp(
  data: FactorData,
  response: string,
  now: number,
): Promise<FactorData | undefined> {
  const code = parseCode(response)
  if (code === undefined) return undefined
  const current = Math.floor(now / 1000 / stepLength)
  const lastStep = Number(data["lastStep"])
  const secret = decodeBase32(String(data["secret"]))
  let acceptedStep: number | undefined
  for (let step = current - tolerance; step <= current + tolerance; step += 1) {
    const isSame = timingSafeEqual(await computeCode(secret, step), code)
    if (isSame && step > lastStep) acceptedStep ??= step
  }
  return acceptedStep === undefined ? undefined : { ...data, lastStep: acceptedStep }
}
