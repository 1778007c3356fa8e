/** Raw requests, and servers that stop after the test. */
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { FetchHandler, TestBrowser } from "@latchkey/testing"
import type { Express } from "express"
import { onTestFinished } from "vitest"

/** Starts a server on a free port during a test, and returns its URL. */
export async function serve(app: Express): Promise<string> {
  const server = await new Promise<Server>((resolve) => {
    const httpServer: Server = app.listen(0, "127.0.0.1", () => resolve(httpServer))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface RequestOptions {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
}

/** Sends a request with an unmodified target. */
export async function send(
  origin: string,
  target: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { method = "GET", headers = {}, body } = options
  const { hostname, port } = new URL(origin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: target, headers }, resolve)
    outgoing.on("error", reject)
    outgoing.end(body)
  })
  const chunks = await response.toArray()
  return toResponse(response, Buffer.concat(chunks))
}

function toResponse({ rawHeaders, statusCode = 0 }: IncomingMessage, body: Buffer): Response {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "")
  }
  return new Response(body.length > 0 ? new Uint8Array(body) : null, {
    status: statusCode,
    headers,
  })
}

/** Creates a proxy in front of a server that replaces headers. */
export function createProxy(
  origin: string,
  headersFor: (url: URL) => OutgoingHttpHeaders,
): FetchHandler {
  return async (request) => {
    const url = new URL(request.url)
    return send(origin, url.pathname + url.search, {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), ...headersFor(url) },
      ...(request.body ? { body: await request.text() } : {}),
    })
  }
}

/** Creates a proxy that terminates TLS, keeps the host, and sends forwarded headers. */
export function createTlsProxy(origin: string): FetchHandler {
  return createProxy(origin, ({ host }) => ({ host, "x-forwarded-proto": "https" }))
}

/** Returns the cookies of a browser, for requests that it does not send itself. */
export function getCookieHeader({ cookies }: TestBrowser): string {
  return [...cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
}
