/** Creates the requests that actions work with. */
import { InvalidRequest } from "../errors.ts"
import type {
  ActionRequest,
  RequestBody,
  RequestCache,
  SessionContext,
} from "../http/action-request.ts"
import { buildActionUrl } from "../http/action-url.ts"
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

/** A browser's request to an action. */
export interface ParsedRequest {
  readonly incoming: IncomingRequest
  readonly url: string | URL
  readonly target: RequestTarget
  readonly route: Extract<Route, { kind: "action" }>
  readonly method: "GET" | "POST"
}

/**
 * Reads the body of a POST request and creates the request for its action.
 *
 * @throws InvalidRequest for a body that cannot be read
 */
export async function readActionRequest(
  parsedRequest: ParsedRequest,
  services: Services,
): Promise<ActionRequest> {
  const createTimeoutError = () =>
    new InvalidRequest(400, { expected: "the body to arrive in time" })
  const body = readBody(parsedRequest.incoming.request)
  const parsedBody = await withRequestTimeout(body, createTimeoutError)
  return new BrowserActionRequest(parsedRequest, services, parsedBody)
}

/** The part of a request that sessions need. */
export class RequestSessionContext implements SessionContext {
  readonly origin: string
  readonly cookies: RequestCookies
  readonly cookieDefinitions: CookieDefinitions
  readonly jar: CookieJar = new CookieJar()
  readonly reportRecorder: ErrorReportRecorder | undefined

  constructor(
    headers: Pick<HeaderReader, "get">,
    { origin, protocol }: Pick<RequestTarget, "origin" | "protocol">,
    { config }: Pick<Services, "config">,
  ) {
    const isSecure = config.useSecureCookies ?? protocol === "https:"
    this.origin = origin
    this.cookies = parseCookies(headers.get("cookie"))
    this.cookieDefinitions = isSecure ? config.cookies.secure : config.cookies.plain
    this.reportRecorder = config.development || config.debug ? new ErrorReportRecorder() : undefined
  }
}

/** A request of a browser. Creates its web objects on demand, because most requests only read the session. */
export class BrowserActionRequest extends RequestSessionContext implements ActionRequest {
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
    parsedBody?: ParsedBody,
  ) {
    super(incoming.headers, target, services)
    this.action = route.action
    this.providerId = route.providerId
    this.method = method
    this.search = target.search
    this.encodedOrigin = target.encodedOrigin
    this.body = parsedBody?.body ?? {}
    this.#incoming = incoming
    this.#url = url
    this.#form = parsedBody?.form
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

/** Creates a request that the application makes on behalf of the browser. */
export function createApplicationRequest(
  { headers, url: requestUrl }: RequestContext,
  services: Services,
  action: "signin" | "callback" | "signout",
  providerId: string | undefined,
  body: RequestBody,
): ActionRequest {
  const path = providerId === undefined ? action : `${action}/${providerId}`
  const url = new URL(buildActionUrl(new URL(requestUrl), services.config, path))
  return {
    ...new RequestSessionContext(headers, url, services),
    action,
    providerId,
    method: "POST",
    url,
    search: "",
    encodedOrigin: encodeURIComponent(url.origin),
    headers,
    query: url.searchParams,
    body,
    form: new URLSearchParams(),
    signal: new AbortController().signal,
    requestCache: {},
  }
}
