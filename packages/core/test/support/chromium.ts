/** A real Chromium at an application on a real port, whose pages have a strict policy. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { LatchkeyAuth } from "@latchkey/core"

export interface ServedApp {
  readonly origin: string
  /** Handles requests instead of the engine. */
  intercept: ((request: Request) => Response | undefined) | undefined
  close(): Promise<void>
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
].join("; ")

const pageHtml = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"><h1>A page</h1><script type="module" src="/script.js"></script></html>`

/**
 * Serves an application: the engine under its base path, and the same page everywhere else.
 *
 * @param createEngine is given the origin
 * @param script of the page
 */
export async function serveApp(
  createEngine: (origin: string) => LatchkeyAuth,
  script = "",
): Promise<ServedApp> {
  const server = createServer(async (incoming, outgoing) => {
    const request = await toRequest(incoming, origin)
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith(`${auth.basePath}/`)
      ? (application.intercept?.(request) ?? (await auth.handle(request)))
      : createPageResponse(pathname, script)
    for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
    outgoing.writeHead(response.status).end(await response.text())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const auth = createEngine(origin)
  const application: ServedApp = {
    origin,
    intercept: undefined,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return application
}

/** Converts a request of Node.js. */
export async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const body = method === "POST" ? { body: await text(incoming) } : {}
  return new Request(new URL(url, origin), { method, headers: entries, ...body })
}

function createPageResponse(pathname: string, script: string): Response {
  if (pathname === "/script.js") {
    return new Response(script, { headers: { "content-type": "text/javascript" } })
  }
  const headers = { "content-type": "text/html", "content-security-policy": contentSecurityPolicy }
  return new Response(pageHtml, { headers })
}
