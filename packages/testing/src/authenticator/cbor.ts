/** The part of CBOR (RFC 8949) that an attestation needs: integers, text, bytes and maps, with definite lengths. */

/** A value that can be encoded. */
export type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>

/** Bytes of their own memory, in a form that TypeScript 5.6 and older can express. */
export type Bytes = ReturnType<Uint8Array["slice"]>

/** Encodes a value. */
export function encodeCbor(value: CborValue): Bytes {
  if (typeof value === "number") return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value)
  if (typeof value === "string") {
    const text = new TextEncoder().encode(value)
    return concatBytes(encodeHead(3, text.length), text)
  }
  if (value instanceof Uint8Array) return concatBytes(encodeHead(2, value.length), value)
  const entries = [...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)])
  return concatBytes(encodeHead(5, value.size), ...entries)
}

/** Concatenates byte arrays. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** Encodes the major type, and a length or number (section 3). */
function encodeHead(major: number, argument: number): Bytes {
  if (argument < 24) return Uint8Array.of((major << 5) | argument)
  if (argument < 0x100) return Uint8Array.of((major << 5) | 24, argument)
  if (argument < 0x10000) return Uint8Array.of((major << 5) | 25, argument >> 8, argument & 0xff)
  throw new RangeError(`${argument} is too long for a passkey`)
}
