/** An HTTP server on the loopback interface, for the JSON APIs of hosted databases. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON, or undefined for an empty body. */
  readonly body: unknown
}

export interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

export interface ApiServer extends AsyncDisposable {
  readonly url: string
}

export async function startApiServer(
  respond: (request: ApiRequest) => Promise<ApiResponse>,
): Promise<ApiServer> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { status, body: content } = await respond({
      method: request.method ?? "GET",
      url: new URL(request.url ?? "/", "http://localhost"),
      headers: request.headers,
      body: body === "" ? undefined : JSON.parse(body),
    })
    response.writeHead(status, { "content-type": "application/json" })
    response.end(content === undefined ? undefined : JSON.stringify(content))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
