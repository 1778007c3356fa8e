import { AuthorizationResponse } from "../provider/authorization-response.ts"
import { CookieJar } from "./cookie-jar.ts"
import type { SecFetchSite } from "./sec-fetch-site.ts"
import { computeSecFetchSite } from "./sec-fetch-site.ts"

/** The application under test. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Options of a browser. */
export interface BrowserOptions {
  /**
   * Origin of the application.
   * @defaultValue "https://app.example"
   */
  origin?: string
  /**
   * Base path of Latchkey's routes.
   * @defaultValue "/auth"
   */
  basePath?: string
  /** Headers of every request. */
  headers?: Record<string, string>
  /**
   * The clock for the expiry of cookies, in milliseconds. With `() => 0` no cookie expires, so that the server has to
   * decide.
   * @defaultValue Date.now
   */
  now?: () => number
}

/** Options of a request. */
export interface BrowserRequestOptions {
  /** The HTTP method. @defaultValue "GET" */
  method?: string
  /** Headers besides those of the browser. */
  headers?: Record<string, string>
  /** Origin of the page that starts the request. `https://evil.example` makes it cross-site. */
  from?: string
}

/** Fields of a form. A string is sent unchanged, with the content type from `headers`. */
export type FormFields = Record<string, string> | URLSearchParams | string

/** A request with what the browser derives from where it starts. */
interface BrowserRequest extends BrowserRequestOptions {
  body?: FormFields | undefined
  mode: "navigate" | "cors"
}

/** Sends requests as a browser does, one at a time or concurrently. It does not depend on Latchkey. */
export class UserAgent {
  readonly app: FetchHandler
  readonly origin: string
  readonly cookies: CookieJar
  /** The `Set-Cookie` lines of the last response. */
  setCookieHeaders: readonly string[] = []
  readonly #headers: Record<string, string>
  readonly #initiators = new WeakMap<Response, { url: URL; from: string | undefined }>()

  constructor(app: FetchHandler, options: BrowserOptions = {}) {
    this.app = app
    this.origin = new URL(options.origin ?? "https://app.example").origin
    this.cookies = new CookieJar(options.now)
    this.#headers = options.headers ?? {}
  }

  /**
   * Opens an address as if the user entered it or clicked it in an e-mail. `from` names the page of a link instead. An
   * `AuthorizationResponse` is opened as the provider sends it: by redirect, or by a form, whose redirect with status 303
   * is followed.
   */
  async open(
    target: string | URL | AuthorizationResponse,
    options: BrowserRequestOptions = {},
  ): Promise<Response> {
    if (!(target instanceof AuthorizationResponse))
      return this.#send(target, { ...options, mode: "navigate" })
    const { url, form, providerOrigin } = target
    const defaults = {
      from: providerOrigin,
      ...(form && { method: "POST", body: form }),
      ...options,
    }
    const response = await this.#send(url, { ...defaults, mode: "navigate" })
    return form && response.status === 303 ? this.followRedirect(response) : response
  }

  /** Submits a form of the application's own page, or of the page that `from` names. */
  post(
    target: string | URL,
    body?: FormFields,
    options: BrowserRequestOptions = {},
  ): Promise<Response> {
    return this.#send(target, {
      from: this.origin,
      method: "POST",
      ...options,
      body,
      mode: "navigate",
    })
  }

  /** Calls `fetch` in a script of the application's own page, or of the page that `from` names. */
  fetch(
    target: string | URL,
    options: BrowserRequestOptions & { body?: FormFields } = {},
  ): Promise<Response> {
    return this.#send(target, { from: this.origin, ...options, mode: "cors" })
  }

  /** Follows one redirect. @throws TypeError if it leaves the application */
  followRedirect(response: Response): Promise<Response> {
    const location = response.headers.get("location")
    const initiator = this.#initiators.get(response)
    if (location === null || response.status < 300 || response.status > 399) {
      throw new TypeError(`A response with status ${response.status} does not redirect.`)
    }
    const url = new URL(location, initiator?.url ?? this.origin)
    if (url.origin !== this.origin) {
      throw new TypeError(
        `${url.href} does not belong to the application: pass it to the provider.`,
      )
    }
    const from = initiator?.from
    return this.#send(url, { ...(from !== undefined && { from }), mode: "navigate" })
  }

  /** Stores cookies as if the application had set them, such as those of `createTestSessionCookies`. */
  storeCookies(setCookieHeaders: readonly string[]): void {
    const url = new URL(this.origin)
    const context = { url, isCrossSite: false, isNavigation: true, isSafeNavigation: true }
    this.cookies.setCookies(setCookieHeaders, context)
  }

  async #send(target: string | URL, browserRequest: BrowserRequest): Promise<Response> {
    const url = new URL(target, this.origin)
    const method = browserRequest.method ?? "GET"
    const site = computeSecFetchSite(browserRequest.from, url)
    const isNavigation = browserRequest.mode === "navigate"
    const isSafeNavigation = isNavigation && (method === "GET" || method === "HEAD")
    const context = { url, isCrossSite: site === "cross-site", isNavigation, isSafeNavigation }
    const headers = new Headers(this.#createFetchMetadata(browserRequest, site, method))
    const cookie = this.cookies.getCookieHeader(context)
    if (cookie !== undefined) headers.set("cookie", cookie)
    const body = encodeBody(browserRequest.body, headers)
    for (const [name, value] of Object.entries({ ...this.#headers, ...browserRequest.headers })) {
      headers.set(name, value)
    }
    const response = await this.app(
      new Request(url, { method, headers, ...body, redirect: "manual" }),
    )
    this.setCookieHeaders = response.headers.getSetCookie()
    this.cookies.setCookies(this.setCookieHeaders, context)
    this.#initiators.set(response, { url, from: browserRequest.from })
    return response
  }

  /** `Origin` is sent with unsafe methods (Fetch section 3.2), Fetch Metadata always. */
  #createFetchMetadata(
    { mode, from }: BrowserRequest,
    site: SecFetchSite,
    method: string,
  ): Record<string, string> {
    const isSafeMethod = method === "GET" || method === "HEAD"
    const sendsOrigin = !isSafeMethod || (mode === "cors" && site !== "same-origin")
    return {
      "sec-fetch-site": site,
      "sec-fetch-mode": mode,
      "sec-fetch-dest": mode === "navigate" ? "document" : "empty",
      ...(mode === "navigate" && { "sec-fetch-user": "?1" }),
      accept: mode === "navigate" ? "text/html,application/xhtml+xml,*/*;q=0.8" : "*/*",
      ...(sendsOrigin && from !== undefined && { origin: from }),
    }
  }
}

function encodeBody(body: FormFields | undefined, headers: Headers): { body?: string } {
  if (body === undefined) return {}
  if (typeof body === "string") return { body }
  headers.set("content-type", "application/x-www-form-urlencoded")
  return { body: new URLSearchParams(body).toString() }
}
