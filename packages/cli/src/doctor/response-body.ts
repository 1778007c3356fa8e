/** Reads the bodies of responses, which come from servers that nobody has checked yet. */
import { withTimeout } from "./timeout.ts"

/** The limit of the library for responses of providers, in bytes. */
const maxSize = 1_048_576

/**
 * Reads a body as text.
 *
 * @throws RangeError if it is larger than 1 MB
 * @throws TypeError if the server stops sending
 */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ""
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read())
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > maxSize) throw new RangeError("The response is larger than 1 MB")
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel()
  }
}
