/** Recovery codes: for people who have lost their other factor. Each is accepted once. */
import { findFactorErrors } from "../../config/checks/second-factor-checks.ts"
import type { FactorData, FactorMethod } from "../../config/second-factor-options.ts"
import { sha256Hex } from "../../crypto/digest.ts"
import { timingSafeEqual } from "../../crypto/random.ts"
import { primitives } from "../../runtime/platform.ts"

const codeCount = 10
/** The length of a code in characters of five bits: nobody can guess 60 bits, not even from their hash. */
const codeLength = 12
/** Digits, and letters that nobody mistakes for one. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Codes that people keep for when they have lost their other factor. */
export function recoveryCodes(): FactorMethod {
  return { id: "recovery-codes", verify: verifyRecoveryCode, findConfigErrors: findFactorErrors }
}

/** Creates codes, which are shown once, and what the factor keeps of them. */
export async function createRecoveryCodes(): Promise<{
  readonly codes: readonly string[]
  readonly data: FactorData
}> {
  const codes = Array.from({ length: codeCount }, createCode)
  const hashes = await Promise.all(codes.map((code) => sha256Hex(normalize(code))))
  return { codes, data: { hashes } }
}

function createCode(): string {
  const bytes = primitives.randomBytes(codeLength)
  const text = Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join("")
  return text.replace(/(?<=^.{4}|^.{8})/g, "-")
}

/** How a person may write a code, without what makes no difference. */
const normalize = (code: string): string =>
  code
    .slice(0, 64)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z\d]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1")

/** See `FactorMethod`. */
async function verifyRecoveryCode(
  data: FactorData,
  response: string,
): Promise<FactorData | undefined> {
  const hash = await sha256Hex(normalize(response))
  const hashes = listHashes(data)
  const others = hashes.filter((each) => !timingSafeEqual(each, hash))
  return others.length === hashes.length ? undefined : { ...data, hashes: others }
}

/** Returns how many codes have not been used. */
export const countRecoveryCodes = (data: FactorData): number => listHashes(data).length

const listHashes = ({ hashes }: FactorData): readonly string[] =>
  Array.isArray(hashes) ? hashes.map(String) : []
