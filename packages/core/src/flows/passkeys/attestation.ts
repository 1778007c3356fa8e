/** Which attestation a new passkey may carry (WebAuthn Level 3, section 6.5). */
import { decodeBase64 } from "./base64.ts"
import { isBase64Url } from "./parse-credential.ts"

/** Formats that browsers send when none is requested: none, or a signature of the passkey itself (section 5.1.3). */
const allowedFormats: ReadonlySet<unknown> = new Set(["none", "packed"])

/**
 * Whether an attestation object, in base64url, is acceptable when none was requested. To verify other formats, the
 * verifying package checks certificates, and asks hosts that the sender wrote into them whether they are revoked.
 */
export function isAllowedAttestationFormat(attestationObject: unknown): boolean {
  if (!isBase64Url(attestationObject)) return false
  try {
    return allowedFormats.has(readFormat(decodeBase64(attestationObject)))
  } catch {
    return false // not base64, not CBOR, or nested too deeply
  }
}

/** Reads the text under `fmt` in a map (RFC 8949). The verifying package refuses a second `fmt`. */
function readFormat(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const view = new DataView(bytes.buffer)
  let offset = 0

  /** Reads the major type and its argument: the length of what follows in bytes or items (RFC 8949 section 3). */
  function readHead(): { major: number; argument: number } {
    const first = view.getUint8(offset++)
    const [major, info] = [first >> 5, first & 31]
    if (info < 24) return { major, argument: info }
    const start = offset
    offset += 2 ** (info - 24)
    if (info === 24) return { major, argument: view.getUint8(start) }
    if (info === 25) return { major, argument: view.getUint16(start) }
    if (info === 26) return { major, argument: view.getUint32(start) }
    throw new RangeError(`An attestation contains no item that begins with ${first}`)
  }

  /** Reads an item and everything that it contains. Returns only texts. */
  function readItem(): string | undefined {
    const { major, argument } = readHead()
    if (major === 2 || major === 3) {
      const start = offset
      offset += argument
      return major === 3 ? new TextDecoder().decode(bytes.subarray(start, offset)) : undefined
    }
    const childCounts: Readonly<Record<number, number>> = { 4: argument, 5: 2 * argument, 6: 1 }
    for (let remaining = childCounts[major] ?? 0; remaining > 0; remaining -= 1) readItem()
    return undefined
  }

  const { major, argument } = readHead()
  for (let remaining = major === 5 ? argument : 0; remaining > 0; remaining -= 1) {
    const [key, value] = [readItem(), readItem()]
    if (key === "fmt") return value
  }
  return undefined
}
