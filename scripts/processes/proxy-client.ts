/** People in front of the proxy, who see which process answers. */
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { processHeader } from "./nginx.ts"

/** A request, and who answered it. */
interface RecordedRequest {
  readonly path: string
  readonly status: number
  /** Address of the process. */
  readonly process: string
}

/** Somebody with a browser of their own. */
export interface ProxyClient {
  readonly browser: TestBrowser
  /** The requests so far. */
  readonly requests: readonly RecordedRequest[]
}

export function createProxyClient(origin: string): ProxyClient {
  const { app: network } = createTestBrowser(origin)
  const requests: RecordedRequest[] = []
  async function app(request: Request): Promise<Response> {
    const response = await network(request)
    const { pathname } = new URL(request.url)
    // Where the proxy tried several, the last one answered.
    const process = response.headers.get(processHeader)?.split(", ").at(-1) ?? ""
    requests.push({ path: pathname, status: response.status, process })
    return response
  }
  return { browser: createTestBrowser(app, { origin }), requests }
}

/** The process that answered the last request for a path. */
export function findProcess({ requests }: ProxyClient, path: string): string {
  const request = requests.findLast((each) => each.path === path)
  if (!request) throw new Error(`${path} was not asked for`)
  return request.process
}

/** The name of the cookie that holds the session, on plain http. */
export const sessionCookieName = "authjs.session-token"
