/** From what came in to an exchange. */
import type { RequestContext } from "../api.ts"
import { InvalidRequest } from "../errors.ts"
import { type ParsedBody, readBody } from "../http/body.ts"
import { CookieJar, type CookieTable, parseCookies, type RequestCookies } from "../http/cookies.ts"
import { inTime } from "../http/deadline.ts"
import type { Body, Exchange, Recollection, Visit } from "../http/exchange.ts"
import type { HeaderLookup, IncomingRequest } from "../http/incoming.ts"
import type { Place } from "../http/place.ts"
import type { Route } from "../http/route.ts"
import { createTrace, noTrace, type Trace } from "../http/trace.ts"
import type { AuthAction } from "../types.ts"
import type { Services } from "./services.ts"

type ActionRoute = Extract<Route, { kind: "action" }>

/** A browser's request to an action. */
export interface Asked {
  readonly incoming: IncomingRequest
  readonly url: string | URL
  readonly place: Place
  readonly route: ActionRoute
  readonly method: "GET" | "POST"
}

/** A request without a body. */
export function exchangeOf(asked: Asked, services: Services): Exchange {
  return new BrowserExchange(asked, services, undefined)
}

/** A request with a body. Throws InvalidRequest for one that cannot be read. */
export async function readExchange(asked: Asked, services: Services): Promise<Exchange> {
  const late = () => new InvalidRequest(400, { expected: "the body to arrive in time" })
  const parsed = await inTime(readBody(asked.incoming.request), late)
  return new BrowserExchange(asked, services, parsed)
}

/** What few actions ask for is made when it is asked for. */
class BrowserExchange implements Exchange {
  readonly origin: string
  readonly cookies: RequestCookies
  readonly table: CookieTable
  readonly jar: CookieJar
  readonly trace: Trace
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly method: "GET" | "POST"
  readonly search: string
  readonly sentOrigin: string
  readonly body: Body
  readonly recollection: Recollection = {}
  readonly #incoming: IncomingRequest
  #url: string | URL
  #form: URLSearchParams | undefined

  constructor(
    { incoming, url, place, route, method }: Asked,
    services: Services,
    parsed: ParsedBody | undefined,
  ) {
    const { origin, cookies, table, jar, trace } = visitOf(incoming.headers, place, services)
    this.origin = origin
    this.cookies = cookies
    this.table = table
    this.jar = jar
    this.trace = trace
    this.action = route.action
    this.providerId = route.providerId
    this.method = method
    this.search = place.search
    this.sentOrigin = place.sentOrigin
    this.#url = url
    this.body = parsed?.body ?? {}
    this.#form = parsed?.form
    this.#incoming = incoming
  }

  get headers(): Headers {
    return this.#incoming.request.headers
  }

  get url(): URL {
    if (typeof this.#url === "string") this.#url = new URL(this.#url)
    return this.#url
  }

  get query(): URLSearchParams {
    return this.url.searchParams
  }

  get form(): URLSearchParams {
    this.#form ??= new URLSearchParams()
    return this.#form
  }

  get signal(): AbortSignal {
    return this.#incoming.request.signal
  }
}

/** What sessions need to know of a request. */
export function visitOf(
  headers: Pick<HeaderLookup, "get">,
  { origin, protocol }: Pick<Place, "origin" | "protocol">,
  { config }: Pick<Services, "config">,
): Visit {
  const secure = config.useSecureCookies ?? protocol === "https:"
  return {
    origin,
    cookies: parseCookies(headers.get("cookie")),
    table: secure ? config.cookies.secure : config.cookies.plain,
    jar: new CookieJar(),
    trace: config.development || config.debug ? createTrace() : noTrace,
  }
}

/** A request that the application makes in the name of the browser's. */
export function ownExchange(
  { headers, url: written }: RequestContext,
  services: Services,
  action: "signin" | "callback" | "signout",
  providerId: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Exchange {
  const { origin } = new URL(written)
  const path = [services.config.basePath, action, providerId ?? ""].join("/")
  const url = new URL(path.replace(/\/{2,}/g, "/").replace(/\/$/, ""), origin)
  return {
    ...visitOf(headers, url, services),
    action,
    providerId,
    method: "POST",
    url,
    search: "",
    sentOrigin: encodeURIComponent(origin),
    headers,
    query: new URLSearchParams(),
    body,
    form: new URLSearchParams(),
    signal: new AbortController().signal,
    recollection: {},
  }
}
