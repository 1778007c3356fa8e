/** Which attestation a new passkey may carry (WebAuthn Level 3, section 6.5). */
import { base64UrlToBase64, decodeBase64 } from "./base64.ts"

/** Formats that browsers send when none is requested: none, or a signature of the passkey itself (section 5.1.3). */
const allowedFormats: ReadonlySet<unknown> = new Set(["none", "packed"])

/**
 * Whether an attestation object, in base64url, is acceptable when none was requested. To verify other formats, the
 * verifying package checks certificates, and asks hosts that the sender wrote into them whether they are revoked.
 */
export function isAllowedAttestationFormat(attestationObject: unknown): boolean {
  // Only one spelling is accepted, so that this reads the same bytes as the verifying package.
  if (typeof attestationObject !== "string" || !/^[\w-]+$/.test(attestationObject)) return false
  try {
    return allowedFormats.has(readFormat(decodeBase64(base64UrlToBase64(attestationObject))))
  } catch {
    return false // not base64, not CBOR, or nested too deeply
  }
}

/** Reads the text under `fmt` in a map. The verifying package refuses a second `fmt`. */
function readFormat(bytes: Uint8Array): string | undefined {
  const map = readHead(bytes, 0)
  if (map.major !== 5) return undefined
  let offset = map.end
  for (let remaining = map.argument; remaining > 0; remaining -= 1) {
    const valueOffset = findItemEnd(bytes, offset)
    if (readText(bytes, offset) === "fmt") return readText(bytes, valueOffset)
    offset = findItemEnd(bytes, valueOffset)
  }
  return undefined
}

function readText(bytes: Uint8Array, offset: number): string | undefined {
  const { major, argument, end } = readHead(bytes, offset)
  return major === 3 ? new TextDecoder().decode(bytes.subarray(end, end + argument)) : undefined
}

/** Returns the offset after an item and everything that it contains. */
function findItemEnd(bytes: Uint8Array, offset: number): number {
  const { major, argument, end } = readHead(bytes, offset)
  if (major === 2 || major === 3) return end + argument
  const childCounts: Readonly<Record<number, number>> = { 4: argument, 5: 2 * argument, 6: 1 }
  let childOffset = end
  for (let remaining = childCounts[major] ?? 0; remaining > 0; remaining -= 1)
    childOffset = findItemEnd(bytes, childOffset)
  return childOffset
}

interface CborHead {
  readonly major: number
  /** The number itself, or the length of what follows in bytes or items. */
  readonly argument: number
  readonly end: number
}

/** Reads the major type and its argument (RFC 8949 section 3). Throws RangeError for heads that attestations do not use. */
function readHead(bytes: Uint8Array, offset: number): CborHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = view.getUint8(offset)
  const [major, info] = [first >> 5, first & 31]
  if (info < 24) return { major, argument: info, end: offset + 1 }
  if (info === 24) return { major, argument: view.getUint8(offset + 1), end: offset + 2 }
  if (info === 25) return { major, argument: view.getUint16(offset + 1), end: offset + 3 }
  if (info === 26) return { major, argument: view.getUint32(offset + 1), end: offset + 5 }
  throw new RangeError(`An attestation contains no item that begins with ${first}`)
}
