/** Browsers that reach an application through a proxy. */
import { type RequestOptions, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { buffer } from "node:stream/consumers"
import type { FetchHandler } from "@latchkey/testing"

/** A proxy that terminates TLS: it passes requests on by http, under the host name that it knows. */
export function createProxy(port: number): FetchHandler {
  return (request) =>
    send(request, requestHttp, { port, host: "127.0.0.1" }, "application.internal")
}

/** Sends requests to a server on this machine by https, whatever its certificate is. */
export function connectByTls(port: number): FetchHandler {
  return (request) => {
    const { hostname, host } = new URL(request.url)
    const options = { port, host: "127.0.0.1", servername: hostname, rejectUnauthorized: false }
    return send(request, requestHttps, options, host)
  }
}

async function send(
  request: Request,
  sendRequest: typeof requestHttp,
  target: RequestOptions,
  host: string,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = { ...Object.fromEntries(request.headers), host }
  const body = Buffer.from(await request.arrayBuffer())
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const { method } = request
  const options = { ...target, path: pathname + search, method, headers, agent: false }
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
