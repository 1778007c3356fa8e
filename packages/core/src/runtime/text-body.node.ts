/** Node: a `Response` turns a text into a stream at once, and takes longer for it than this does (decision 24). */
import { isNode } from "./is-node.node.ts"
import type { TextBody } from "./text-body.ts"

const encoder = new TextEncoder()

export const textBody: TextBody = (text) => (takesStreams() ? streamOf(text) : text)

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text))
      controller.close()
    },
  })
}

/** The classes that were tried last, and what came of it. Others may take their place at any time. */
let tried: { response?: unknown; stream?: unknown; works: boolean } = { works: false }

/** Whether the `Response` and the `ReadableStream` of now fit together, whoever made them. */
function takesStreams(): boolean {
  const { response, stream } = tried
  if (response !== Response || stream !== ReadableStream) {
    tried = { response: Response, stream: ReadableStream, works: isNode && areFitting() }
  }
  return tried.works
}

function areFitting(): boolean {
  try {
    const stream = new ReadableStream()
    return new Response(stream).body === stream
  } catch {
    return false
  }
}
