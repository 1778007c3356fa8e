/** The request of Node.js, for frameworks that have it instead of a web object. */

/** The parts of a request of Node.js that the library reads. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly originalUrl?: string
  readonly socket?: { readonly encrypted?: boolean; readonly remoteAddress?: string | undefined }
}

/** Returns the body of a request as a stream, which reads no further than its reader. */
export function createBody(req: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = req[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
