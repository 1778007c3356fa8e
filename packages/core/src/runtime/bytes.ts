/** Bytes, and text as bytes. */

/** Bytes of their own memory: `Uint8Array<ArrayBuffer>`, which TypeScript 5.6 and older cannot express. */
export type Bytes = ReturnType<Uint8Array["slice"]>

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // keeps a leading byte order mark
export const encodeUtf8 = (text: string): Bytes => encoder.encode(text)
export const decodeUtf8 = (bytes: ArrayBuffer | Uint8Array): string => decoder.decode(bytes)

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
