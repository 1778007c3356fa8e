import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { rejectOnAbort } from "./transport-faults.ts"

/** Responds to a request. */
export type FetchHandler = (request: Request) => Promise<Response>

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Creates a `fetch` that calls the handler instead of the network. Like a real one, it follows redirects by default,
 * and aborts with the caller's signal while waiting for the response and reading it.
 */
export function createInProcessFetch(handler: FetchHandler): typeof fetch {
  const fetchWithRedirects = async (
    request: Request,
    signal: AbortSignal,
    hops: number,
  ): Promise<Response> => {
    const responsePromise = handler(request)
    responsePromise.catch(() => undefined) // after an abort nobody listens any more
    const response = await Promise.race([responsePromise, rejectOnAbort(signal)])
    const location = response.headers.get("location")
    if (
      !redirectStatuses.has(response.status) ||
      location === null ||
      request.redirect === "manual"
    ) {
      return createFetchResponse(response, request.url, signal)
    }
    if (request.redirect === "error" || hops === 0)
      throw new TypeError("fetch failed", { cause: "redirect" })
    const next = await createRedirectedRequest(
      request,
      response.status,
      new URL(location, request.url),
    )
    return fetchWithRedirects(next, signal, hops - 1)
  }
  return async (input, init) => {
    const request = new Request(input, init)
    const signal = init?.signal ?? request.signal
    signal.throwIfAborted()
    return fetchWithRedirects(request, signal, 20)
  }
}

/** Creates the next request of a redirect (Fetch, "HTTP-redirect fetch"). */
async function createRedirectedRequest(
  request: Request,
  status: number,
  to: URL,
): Promise<Request> {
  const { method, redirect } = request
  const headers = new Headers(request.headers)
  if (to.origin !== new URL(request.url).origin) headers.delete("authorization")
  if (status === 307 || status === 308) {
    const body = request.body && (await request.clone().arrayBuffer())
    return new Request(to, { method, headers, redirect, body })
  }
  headers.delete("content-type")
  return new Request(to, { headers, redirect })
}

/** Adds a URL to the response, and a body that aborts with the caller's signal. */
function createFetchResponse(response: Response, url: string, signal: AbortSignal): Response {
  const body = response.body?.pipeThrough(new TransformStream(), { signal }) ?? null
  const { status, statusText, headers } = response
  const fetchResponse = new Response(body, { status, statusText, headers })
  return Object.defineProperty(fetchResponse, "url", { value: url })
}

/** Serves the handler over HTTP on a free local port. */
export async function startServer(
  handler: FetchHandler,
  port = 0,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((incoming, outgoing) => {
    handleIncomingRequest(handler, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  })
  // A listening TCP server has an address with a port.
  const address = server.address() as AddressInfo
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

async function handleIncomingRequest(
  handler: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const clientGone = new AbortController()
  outgoing.once("close", () => clientGone.abort(new Error("The client closed the connection.")))
  const response = await handler(await readRequest(incoming, clientGone.signal))
  outgoing.writeHead(response.status, [...response.headers].flat())
  // The DOM's and Node's stream types describe the same object.
  const body = response.body as NodeReadableStream<Uint8Array> | null
  if (body) await pipeline(Readable.fromWeb(body), outgoing)
  else outgoing.end()
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "GET", headers, url = "/" } = incoming
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks)
  // Joined, not resolved: `//host/path` and `http://host/path` would replace the host.
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: pairs,
    body,
    signal,
  })
}
