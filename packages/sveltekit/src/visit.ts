/** A request, and the configuration that it is answered with. */
import {
  type AnswerCookies,
  createAnswerCookies,
  createMount,
  type Mounted,
} from "@latchkey/core/mounting"
import type { Session } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import type { CompiledAuthConfig, LazyConfig } from "./config.ts"
import { setCookie } from "./cookies.ts"
import { usualBasePath } from "./kit.ts"

// SvelteKit refuses forms from elsewhere before any of this runs, and its forms never carried a token.
const mount = createMount({ basePath: usualBasePath, ownPagesSuffice: true })

/** A request. */
export interface Visit {
  readonly mounted: Mounted
  readonly request: Request
  readonly cookies: AnswerCookies
  /** What was found out of the session; undefined before anybody asked, and once somebody has signed in or out. */
  session?: Promise<Session | null> | undefined
}

/** Gives the visit of an event, the same one throughout the request. */
export type VisitOf = (event: RequestEvent) => Promise<Visit>

/** Creates what finds the visits for a configuration. */
export function createVisits(config: CompiledAuthConfig | LazyConfig): VisitOf {
  // SvelteKit makes several events of one request, which have their locals in common.
  const visits = new WeakMap<App.Locals, Promise<Visit>>()

  async function begin(event: RequestEvent): Promise<Visit> {
    const settled = typeof config === "function" ? await config(event) : config
    const mounted = mount(settled, globalThis.process?.env ?? {})
    const { request } = event
    const cookies = createAnswerCookies(request.headers.get("cookie"), (cookie) =>
      setCookie(event.cookies, cookie),
    )
    return { mounted, request, cookies }
  }

  return (event) => {
    const known = visits.get(event.locals)
    if (known) return known
    const begun = begin(event)
    visits.set(event.locals, begun)
    return begun
  }
}

/**
 * What the engine wants to know of a request, with the cookies that were set on the way. Not of `event.url`: in a
 * remote function, that is the page's.
 *
 * @throws InvalidRequest 400 when nothing names a usable host
 */
export function contextOf({ mounted, request, cookies }: Visit): { headers: Headers; url: URL } {
  const headers = new Headers(request.headers)
  headers.set("cookie", cookies.header())
  return { headers, url: mounted.locate(request) }
}
