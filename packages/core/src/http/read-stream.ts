import { concatBytes } from "../runtime/bytes.ts"

/**
 * Reads a body of limited size.
 *
 * @param createTooLargeError creates the error to throw for more than `maxSize` bytes
 * @param signal cancels the stream when it aborts
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxSize: number,
  createTooLargeError: () => Error,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined) // nothing needs the rest
  signal?.addEventListener("abort", cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxSize) {
      cancel()
      throw createTooLargeError()
    }
    chunks.push(value)
  }
  return concatBytes(chunks)
}
