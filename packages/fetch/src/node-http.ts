/** The request and the response of Node.js, for frameworks that have those instead of web objects. */
import { serializeCookie } from "@latchkey/core"
import { mergeSetCookies, noStore, type ResponseCookies } from "@latchkey/core/integration"

/** The parts of a request of Node.js that the library reads. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly originalUrl?: string
  readonly socket?: { readonly encrypted?: boolean; readonly remoteAddress?: string | undefined }
}

/** The parts of a response of Node.js that the library writes. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: number | string | readonly string[]): unknown
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

/** Writes cookies to the response at once, and keeps it out of caches whatever the application writes afterwards. */
export function createNodeCookies(res: NodeResponse): ResponseCookies {
  const getLines = () => [res.getHeader("set-cookie") ?? []].flat().map(String)
  return {
    getLines,
    canSet: () => !res.headersSent,
    set(cookies) {
      if (cookies.length === 0) return
      res.setHeader("set-cookie", mergeSetCookies(getLines(), cookies.map(serializeCookie)))
      res.setHeader("cache-control", noStore(res.getHeader("cache-control")?.toString()))
      if (Object.hasOwn(res, "setHeader")) return
      const setHeader = res.setHeader.bind(res)
      res.setHeader = (name, value) =>
        setHeader(name, /^cache-control$/i.test(name) ? noStore(String(value)) : value)
    },
  }
}
