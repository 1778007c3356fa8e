/** What a new passkey says of the device that made it (WebAuthn Level 3, section 6.5). */
import { bytesOf, toBase64 } from "./encoding.ts"

/** What browsers send who were asked for none: nothing, or a signature of the passkey itself (section 5.1.3). */
const unasked: ReadonlySet<unknown> = new Set(["none", "packed"])

/**
 * Whether an attestation, in base64url, is one that may come where none was asked for. To verify others, certificates
 * have to be checked, and the verifying package asks the host that a stranger wrote into them whether they still hold.
 */
export function isUnaskedAttestation(object: unknown): boolean {
  // One spelling only: nobody reads anything else in it than the verifying package does.
  if (typeof object !== "string" || !/^[\w-]+$/.test(object)) return false
  try {
    return unasked.has(formatIn(bytesOf(toBase64(object))))
  } catch {
    return false // neither base64 nor CBOR, or deeper than anybody nests
  }
}

/** The text under `fmt` in a map, of which there is one: the verifying package refuses a second. */
function formatIn(bytes: Uint8Array): string | undefined {
  const map = headAt(bytes, 0)
  if (map.major !== 5) return undefined
  let at = map.end
  for (let left = map.argument; left > 0; left -= 1) {
    const value = endOf(bytes, at)
    if (textAt(bytes, at) === "fmt") return textAt(bytes, value)
    at = endOf(bytes, value)
  }
  return undefined
}

function textAt(bytes: Uint8Array, at: number): string | undefined {
  const { major, argument, end } = headAt(bytes, at)
  return major === 3 ? new TextDecoder().decode(bytes.subarray(end, end + argument)) : undefined
}

/** Where an item ends, with all that it holds. */
function endOf(bytes: Uint8Array, at: number): number {
  const { major, argument, end } = headAt(bytes, at)
  if (major === 2 || major === 3) return end + argument
  const inside: Readonly<Record<number, number>> = { 4: argument, 5: 2 * argument, 6: 1 }
  let next = end
  for (let left = inside[major] ?? 0; left > 0; left -= 1) next = endOf(bytes, next)
  return next
}

interface Head {
  readonly major: number
  /** The number itself, or how much follows: bytes, or items. */
  readonly argument: number
  readonly end: number
}

/** The major type and its argument (RFC 8949 section 3). Throws RangeError for what no attestation has. */
function headAt(bytes: Uint8Array, at: number): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = view.getUint8(at)
  const [major, info] = [first >> 5, first & 31]
  if (info < 24) return { major, argument: info, end: at + 1 }
  if (info === 24) return { major, argument: view.getUint8(at + 1), end: at + 2 }
  if (info === 25) return { major, argument: view.getUint16(at + 1), end: at + 3 }
  if (info === 26) return { major, argument: view.getUint32(at + 1), end: at + 5 }
  throw new RangeError(`An attestation has no item that begins with ${first}`)
}
