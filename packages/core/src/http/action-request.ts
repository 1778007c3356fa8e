/** A request while it is handled. */
import type { AuthAction } from "../types.ts"
import { type CookieDefinitions, CookieJar, parseCookies, type RequestCookies } from "./cookies.ts"
import { ErrorReportRecorder } from "./error-report.ts"
import type { HeaderReader, IncomingRequest } from "./incoming-request.ts"
import type { ParsedBody, RequestBody } from "./request-body.ts"
import type { ActionRoute } from "./route.ts"

/** The part of the configuration that decides how requests are read. */
interface RequestConfig {
  readonly cookies: { readonly secure: CookieDefinitions; readonly plain: CookieDefinitions }
  readonly useSecureCookies: boolean | undefined
  readonly development: boolean
  readonly debug: boolean
}

/** The part of a request that sessions use: enough to read one, and to set cookies on the response. */
export class SessionContext {
  /** Scheme, host and port. */
  readonly origin: string
  readonly cookies: RequestCookies
  /** The library's cookies under the names for this scheme. */
  readonly cookieDefinitions: CookieDefinitions
  /** The cookies of the response. */
  readonly jar: CookieJar = new CookieJar()
  /** Records what an error report tells the developer; undefined in production. */
  readonly reportRecorder: ErrorReportRecorder | undefined

  constructor(headers: Pick<HeaderReader, "get">, url: URL, config: RequestConfig) {
    const isSecure = config.useSecureCookies ?? url.protocol === "https:"
    this.origin = url.origin
    this.cookies = parseCookies(headers.get("cookie"))
    this.cookieDefinitions = isSecure ? config.cookies.secure : config.cookies.plain
    this.reportRecorder = config.development || config.debug ? new ErrorReportRecorder() : undefined
  }
}

/** A request to one of the actions. */
export class ActionRequest extends SessionContext {
  readonly method: string
  readonly url: URL
  readonly action: AuthAction
  readonly providerId: string | undefined
  readonly body: RequestBody
  /** The fields of a form as they were sent, including repetitions; empty for other bodies. */
  readonly form: URLSearchParams
  /** Where the browser goes after the action, once that is known. */
  callbackUrl?: Promise<string>
  /** The token for all forms in the response, once it is created. */
  csrfToken?: string
  readonly #incoming: IncomingRequest

  constructor(
    incoming: IncomingRequest,
    url: URL,
    { action, providerId }: ActionRoute,
    config: RequestConfig,
    { body, form }: ParsedBody = { body: {}, form: new URLSearchParams() },
  ) {
    super(incoming.headers, url, config)
    this.method = incoming.method
    this.url = url
    this.action = action
    this.providerId = providerId
    this.body = body
    this.form = form
    this.#incoming = incoming
  }

  get headers(): Headers {
    return this.#incoming.request.headers
  }

  get query(): URLSearchParams {
    return this.url.searchParams
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#incoming.request.signal
  }
}
