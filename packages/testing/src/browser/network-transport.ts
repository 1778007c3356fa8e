import type { IncomingMessage } from "node:http"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { buffer } from "node:stream/consumers"

/**
 * Sends a request to a server with exactly its headers: the platform's `fetch` would replace the `Sec-Fetch-Mode` of a
 * navigation. It follows no redirects and reuses no connections.
 */
export async function sendOverNetwork(request: Request): Promise<Response> {
  const { method, signal, url } = request
  const headers = Object.fromEntries(request.headers)
  const body = request.body && Buffer.from(await request.arrayBuffer())
  const send = url.startsWith("https:") ? requestHttps : requestHttp
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body ? { "content-length": body.length } : {}
    const options = { method, headers: { ...headers, ...length }, agent: false, signal }
    send(url, options, resolve).on("error", reject).end(body)
  })
  return toResponse(incoming)
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "")
  }
  const body = new Uint8Array(await buffer(incoming))
  return new Response(body.length > 0 ? body : null, { status, statusText, headers })
}
