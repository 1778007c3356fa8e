/** Bytes, and text as bytes. */

export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // keeps a leading byte order mark
export const encodeUtf8 = (text: string): Bytes => encoder.encode(text)
export const decodeUtf8 = (bytes: BufferSource): string => decoder.decode(bytes)

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
