/** Clients of the proxy that record which process responds. */
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { processHeader } from "./nginx.ts"

/** A request, and the process that responded. */
interface RecordedRequest {
  readonly path: string
  readonly status: number
  /** The address of the process. */
  readonly process: string
}

/** A client with its own browser. */
export interface ProxyClient {
  readonly browser: TestBrowser
  /** All requests so far. */
  readonly requests: readonly RecordedRequest[]
}

export function createProxyClient(origin: string): ProxyClient {
  const { app: network } = createTestBrowser(origin)
  const requests: RecordedRequest[] = []
  async function app(request: Request): Promise<Response> {
    const response = await network(request)
    const { pathname } = new URL(request.url)
    // If the proxy tried several processes, the last one responded.
    const process = response.headers.get(processHeader)?.split(", ").at(-1) ?? ""
    requests.push({ path: pathname, status: response.status, process })
    return response
  }
  return { browser: createTestBrowser(app, { origin }), requests }
}

/** Returns the process that responded to the last request for a path. */
export function findProcess({ requests }: ProxyClient, path: string): string {
  const request = requests.findLast((each) => each.path === path)
  if (!request) throw new Error(`${path} was not requested`)
  return request.process
}

/** The name of the session cookie over http. */
export const sessionCookieName = "authjs.session-token"
