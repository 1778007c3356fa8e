/** The route handlers, called as Next.js calls them: `request.url` has another host than the browser, and headers of clients. */
import { NextAuth, type NextAuthConfig, type NextAuthResult } from "@latchkey/next"
import { createTestBrowser, type FetchHandler, type TestBrowser } from "@latchkey/testing"
import { NextRequest } from "next/server.js"

/** Returns the request of the browser as Next.js passes it on. */
export function toNextRequest(
  request: Request,
  forged: Readonly<Record<string, string>> = {},
): NextRequest {
  const { pathname, search, host } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const [name, value] of Object.entries({ host, ...forged })) headers.set(name, value)
  const { method, body } = request
  return new NextRequest(`http://localhost:3000${pathname}${search}`, {
    method,
    headers,
    ...(body && { body, duplex: "half" }),
  })
}

interface Application {
  readonly auth: NextAuthResult
  readonly browser: TestBrowser
  readonly app: FetchHandler
}

/** @param forged headers that the client adds to each request */
export function createApplication(
  config: NextAuthConfig,
  origin = "https://app.example",
  forged: Readonly<Record<string, string>> = {},
): Application {
  const auth = NextAuth(config)
  const app: FetchHandler = (request) => {
    const { GET, POST } = auth.handlers
    const handler = request.method === "POST" ? POST : GET
    return handler(toNextRequest(request, forged))
  }
  const browser = createTestBrowser(app, { origin, basePath: "/api/auth" })
  return { auth, browser, app }
}
