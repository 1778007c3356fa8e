/** Node: creates the stream itself, which is faster than what `Response` does with a text (decision 24). */
import type { createTextBody as createTextBodyType } from "./text-body.web.ts"

const encoder = new TextEncoder()

// Applications may replace the global classes at any time.
const { Response: InitialResponse, ReadableStream: InitialStream } = globalThis
const acceptsStreamBody = isNode() && keepsStreamIdentity()

export const createTextBody: typeof createTextBodyType = (text) => {
  const areInitial = Response === InitialResponse && ReadableStream === InitialStream
  if (!acceptsStreamBody || !areInitial) return text
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text))
      controller.close()
    },
  })
}

/** Whether this is Node: bundlers give modules for Node to other runtimes, too. Node 20 has no `navigator`. */
function isNode(): boolean {
  return typeof navigator === "undefined" || navigator.userAgent.startsWith("Node.js/")
}

function keepsStreamIdentity(): boolean {
  try {
    const stream = new ReadableStream()
    return new Response(stream).body === stream
  } catch {
    return false
  }
}
