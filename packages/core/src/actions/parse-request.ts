/** From what came in to an exchange. */

import { InvalidRequest } from "../errors.ts"
import type {
  ActionRequest,
  RequestBody,
  RequestCache,
  SessionContext,
} from "../http/action-request.ts"
import {
  type CookieDefinitions,
  CookieJar,
  parseCookies,
  type RequestCookies,
} from "../http/cookies.ts"
import { ErrorReportRecorder } from "../http/error-report.ts"
import type { HeaderReader, IncomingRequest } from "../http/incoming-request.ts"
import { type ParsedBody, readBody } from "../http/request-body.ts"
import type { RequestTarget } from "../http/request-target.ts"
import type { Route } from "../http/route.ts"
import { withRequestTimeout } from "../http/timeout.ts"
import type { RequestContext } from "../latchkey-auth.ts"
import type { AuthAction } from "../types.ts"
import type { Services } from "./services.ts"

type ActionRoute = Extract<Route, { kind: "action" }>

/** A browser's request to an action. */
export interface ParsedRequest {
  readonly incoming: IncomingRequest
  readonly url: string | URL
  readonly target: RequestTarget
  readonly route: ActionRoute
  readonly method: "GET" | "POST"
}

/** A request without a body. */
export function createActionRequest(
  parsedRequest: ParsedRequest,
  services: Services,
): ActionRequest {
  return new BrowserActionRequest(parsedRequest, services, undefined)
}

/** A request with a body. Throws InvalidRequest for one that cannot be read. */
export async function readActionRequest(
  parsedRequest: ParsedRequest,
  services: Services,
): Promise<ActionRequest> {
  const createTimeoutError = () =>
    new InvalidRequest(400, { expected: "the body to arrive in time" })
  const parsedBody = await withRequestTimeout(
    readBody(parsedRequest.incoming.request),
    createTimeoutError,
  )
  return new BrowserActionRequest(parsedRequest, services, parsedBody)
}

/** What few actions ask for is made when it is asked for. */
class BrowserActionRequest implements ActionRequest {
  readonly origin: string
  readonly cookies: RequestCookies
  readonly cookieDefinitions: CookieDefinitions
  readonly jar: CookieJar
  readonly reportRecorder: ErrorReportRecorder | undefined
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly method: "GET" | "POST"
  readonly search: string
  readonly encodedOrigin: string
  readonly body: RequestBody
  readonly requestCache: RequestCache = {}
  readonly #incoming: IncomingRequest
  #url: string | URL
  #form: URLSearchParams | undefined

  constructor(
    { incoming, url, target, route, method }: ParsedRequest,
    services: Services,
    parsedBody: ParsedBody | undefined,
  ) {
    const { origin, cookies, cookieDefinitions, jar, reportRecorder } = createSessionContext(
      incoming.headers,
      target,
      services,
    )
    this.origin = origin
    this.cookies = cookies
    this.cookieDefinitions = cookieDefinitions
    this.jar = jar
    this.reportRecorder = reportRecorder
    this.action = route.action
    this.providerId = route.providerId
    this.method = method
    this.search = target.search
    this.encodedOrigin = target.encodedOrigin
    this.#url = url
    this.body = parsedBody?.body ?? {}
    this.#form = parsedBody?.form
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
export function createSessionContext(
  headers: Pick<HeaderReader, "get">,
  { origin, protocol }: Pick<RequestTarget, "origin" | "protocol">,
  { config }: Pick<Services, "config">,
): SessionContext {
  const secure = config.useSecureCookies ?? protocol === "https:"
  return {
    origin,
    cookies: parseCookies(headers.get("cookie")),
    cookieDefinitions: secure ? config.cookies.secure : config.cookies.plain,
    jar: new CookieJar(),
    reportRecorder: config.development || config.debug ? new ErrorReportRecorder() : undefined,
  }
}

/** A request that the application makes in the name of the browser's. */
export function createApplicationRequest(
  { headers, url: requestUrl }: RequestContext,
  services: Services,
  action: "signin" | "callback" | "signout",
  providerId: string | undefined,
  body: Readonly<Record<string, unknown>>,
): ActionRequest {
  const { origin } = new URL(requestUrl)
  const path = [services.config.basePath, action, providerId ?? ""].join("/")
  const url = new URL(path.replace(/\/{2,}/g, "/").replace(/\/$/, ""), origin)
  return {
    ...createSessionContext(headers, url, services),
    action,
    providerId,
    method: "POST",
    url,
    search: "",
    encodedOrigin: encodeURIComponent(origin),
    headers,
    query: new URLSearchParams(),
    body,
    form: new URLSearchParams(),
    signal: new AbortController().signal,
    requestCache: {},
  }
}
