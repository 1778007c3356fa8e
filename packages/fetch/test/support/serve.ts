/** Serves `fetch` functions on a server of Node.js, as the adapters of runtimes do. */
import { once } from "node:events"
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { FetchHandler } from "@latchkey/testing"
import { onTestFinished } from "vitest"

/** Starts a server on a free port during a test, and returns its URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const serve = (fetch: FetchHandler): Promise<string> =>
  listen((req, res) => {
    respond(fetch, req, res).catch(() => {
      if (!res.headersSent) res.writeHead(500).end()
    })
  })

async function respond(fetch: FetchHandler, req: IncomingMessage, res: ServerResponse) {
  const { method = "GET", headers, url } = req
  const response = await fetch(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: method === "POST" ? new Uint8Array(await buffer(req)) : null,
    }),
  )
  res.statusCode = response.status
  for (const [name, value] of response.headers) res.appendHeader(name, value)
  const reader = response.body?.getReader()
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) break
    if (!res.write(value)) await once(res, "drain")
  }
  res.end()
}
