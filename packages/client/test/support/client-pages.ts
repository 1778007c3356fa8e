/** The client in pages of an application: real requests to the real engine, and a network that can be cut. */
import { type Client, type ClientOptions, createClient } from "@latchkey/client"
import { createTestBrowser, type FetchHandler, type TestBrowser } from "@latchkey/testing"

/** How the network is: what happens to a request before the application sees it. */
type Network =
  | "up"
  | "down"
  | ((request: Request) => InterceptedResponse | Promise<InterceptedResponse>)

/** Handles requests instead of the application. */
type InterceptedResponse = Response | undefined

export interface ClientPages {
  readonly testBrowser: TestBrowser
  /** The requests that left the browser: method, and path under the origin. */
  readonly requests: string[]
  network: Network
  /** Opens a page: a separate client with the cookies of the browser. */
  openPage(options?: ClientOptions): Client
  /** Waits until all background requests are complete. */
  waitForRequests(): Promise<void>
}

/** A browser at an application. */
export function createClientPages(app: FetchHandler): ClientPages {
  const requests: string[] = []
  const pendingRequests = new Set<Promise<unknown>>()
  const recordedApp: FetchHandler = async (request) => {
    const { pathname, search } = new URL(request.url)
    requests.push(`${request.method} ${pathname}${search}`)
    if (clientPages.network === "down") throw new TypeError("the network is down")
    const intercepted =
      clientPages.network === "up" ? undefined : await clientPages.network(request)
    return intercepted ?? app(request)
  }
  const testBrowser = createTestBrowser(recordedApp)
  const fetch: ClientOptions["fetch"] = (url, { method = "GET", headers, body }) => {
    const response = send(testBrowser, url, method, new Headers(headers), body)
    const completion: Promise<unknown> = response
      .catch(() => {})
      .finally(() => pendingRequests.delete(completion))
    pendingRequests.add(completion)
    return response
  }
  const clientPages: ClientPages = {
    testBrowser,
    requests,
    network: "up",
    openPage: (options = {}) => createClient({ origin: testBrowser.origin, fetch, ...options }),
    async waitForRequests() {
      do {
        await Promise.all(pendingRequests)
        // Messages between tabs and the handling of responses take one task each.
        await new Promise((resolve) => setTimeout(resolve, 20))
      } while (pendingRequests.size > 0)
    },
  }
  return clientPages
}

async function send(
  browser: TestBrowser,
  url: string,
  method: string,
  headers: Headers,
  body: BodyInit | null | undefined,
): Promise<Response> {
  if (body === null || body === undefined) return browser.fetch(url, { method })
  // The header that a browser derives from the type of the body.
  const request = new Request(url, { method, headers, body })
  return browser.fetch(url, {
    method,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  })
}
