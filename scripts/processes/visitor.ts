/** People in front of the proxy, who see which process answers. */
import { type Browser, browser } from "@latchkey/testing"
import { processHeader } from "./nginx.ts"

/** A request, and who answered it. */
interface Step {
  readonly path: string
  readonly status: number
  /** Address of the process. */
  readonly process: string
}

/** Somebody with a browser of their own. */
export interface Visitor {
  readonly browser: Browser
  /** The requests so far. */
  readonly steps: readonly Step[]
}

export function visitor(origin: string): Visitor {
  const { app: network } = browser(origin)
  const steps: Step[] = []
  async function app(request: Request): Promise<Response> {
    const response = await network(request)
    const { pathname } = new URL(request.url)
    // Where the proxy tried several, the last one answered.
    const process = response.headers.get(processHeader)?.split(", ").at(-1) ?? ""
    steps.push({ path: pathname, status: response.status, process })
    return response
  }
  return { browser: browser(app, { origin }), steps }
}

/** The process that answered the last request for a path. */
export function processOf({ steps }: Visitor, path: string): string {
  const step = steps.findLast((each) => each.path === path)
  if (!step) throw new Error(`${path} was not asked for`)
  return step.process
}

/** The name of the cookie that holds the session, on plain http. */
export const sessionCookie = "authjs.session-token"
