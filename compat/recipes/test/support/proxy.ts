import { request as sendRequest } from "node:http"
import { buffer } from "node:stream/consumers"
import type { FetchHandler } from "@latchkey/testing"

/** A proxy that terminates TLS: it passes requests on by http, under the host name that it knows. */
export function createProxy(port: number): FetchHandler {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const headers = { ...Object.fromEntries(request.headers), host: "application.internal" }
    const body = Buffer.from(await request.arrayBuffer())
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const options = { port, path: pathname + search, method: request.method, headers, agent: false }
    const outgoing = sendRequest(options, async (incoming) => {
      const responseHeaders = new Headers()
      for (const [name, values = []] of Object.entries(incoming.headersDistinct))
        for (const value of values) responseHeaders.append(name, value)
      const content = await buffer(incoming)
      const init = { status: incoming.statusCode ?? 0, headers: responseHeaders }
      resolve(new Response(content.length > 0 ? new Uint8Array(content) : null, init))
    })
    outgoing.on("error", reject).end(body)
    return promise
  }
}
