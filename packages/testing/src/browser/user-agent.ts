import { Comeback } from "../provider/comeback.ts"
import { CookieJar } from "./jar.ts"
import type { SecFetchSite } from "./site.ts"
import { siteRelation } from "./site.ts"

/** The application under test. */
export type App = (request: Request) => Promise<Response>

/** How a browser is set up. */
export interface BrowserOptions {
  /**
   * Where the application is.
   * @defaultValue "https://app.example"
   */
  origin?: string
  /**
   * Where the routes of the library are.
   * @defaultValue "/auth"
   */
  basePath?: string
  /** Sent with every request. */
  headers?: Record<string, string>
  /**
   * The clock by which cookies end, in milliseconds. `() => 0` keeps them all, so that the server has to decide.
   * @defaultValue Date.now
   */
  now?: () => number
}

/** How a request differs from the usual one. */
export interface VisitOptions {
  method?: string
  headers?: Record<string, string>
  /** The origin of the page that starts the request: `https://evil.example` makes it a cross-site one. */
  from?: string
}

/** What a form sends. A text goes as it is, with the content type from `headers`. */
export type FormFields = Record<string, string> | URLSearchParams | string

/** A request with everything that the browser would derive from where it starts. */
interface Visit extends VisitOptions {
  body?: FormFields | undefined
  mode: "navigate" | "cors"
}

/** Sends requests to the application as a browser does, one at a time or many. Knows nothing of the library. */
export class UserAgent {
  readonly app: App
  readonly origin: string
  readonly cookies: CookieJar
  /** The `Set-Cookie` lines of the last response, as they came. */
  setCookies: readonly string[] = []
  readonly #headers: Record<string, string>
  readonly #starts = new WeakMap<Response, { url: URL; from: string | undefined }>()

  constructor(app: App, options: BrowserOptions = {}) {
    this.app = app
    this.origin = new URL(options.origin ?? "https://app.example").origin
    this.cookies = new CookieJar(options.now)
    this.#headers = options.headers ?? {}
  }

  /**
   * Opens an address: typed or clicked in a mail, unless `from` says where the link was. A `Comeback` is opened the
   * way the provider sends it: by redirect or by form.
   */
  open(target: string | URL | Comeback, options: VisitOptions = {}): Promise<Response> {
    if (!(target instanceof Comeback)) return this.#visit(target, { ...options, mode: "navigate" })
    const { url, form, from } = target
    const visit = { from, ...(form && { method: "POST", body: form }), ...options }
    return this.#visit(url, { ...visit, mode: "navigate" })
  }

  /** Submits a form of the application's own page, unless `from` says whose page it is. */
  post(target: string | URL, body?: FormFields, options: VisitOptions = {}): Promise<Response> {
    return this.#visit(target, {
      from: this.origin,
      method: "POST",
      ...options,
      body,
      mode: "navigate",
    })
  }

  /** Calls `fetch` in a script of the application's own page, unless `from` says whose page it is. */
  fetch(
    target: string | URL,
    options: VisitOptions & { body?: FormFields } = {},
  ): Promise<Response> {
    return this.#visit(target, { from: this.origin, ...options, mode: "cors" })
  }

  /** Goes where a response redirects to: one step. @throws TypeError when it leads out of the application */
  follow(response: Response): Promise<Response> {
    const location = response.headers.get("location")
    const start = this.#starts.get(response)
    if (location === null || response.status < 300 || response.status > 399) {
      throw new TypeError(`A response with status ${response.status} does not redirect.`)
    }
    const url = new URL(location, start?.url ?? this.origin)
    if (url.origin !== this.origin) {
      throw new TypeError(`${url.href} is not the application's: hand it to the provider.`)
    }
    const from = start?.from
    return this.#visit(url, { ...(from !== undefined && { from }), mode: "navigate" })
  }

  /** Takes lines of `Set-Cookie`, as if the application had answered with them: those of `mintSessionCookies`. */
  receive(setCookies: readonly string[]): void {
    const url = new URL(this.origin)
    const visit = { url, crossSite: false, navigation: true, safeNavigation: true }
    this.cookies.take(setCookies, visit)
  }

  async #visit(target: string | URL, visit: Visit): Promise<Response> {
    const url = new URL(target, this.origin)
    const method = visit.method ?? "GET"
    const site = siteRelation(visit.from, url)
    const navigation = visit.mode === "navigate"
    const safeNavigation = navigation && (method === "GET" || method === "HEAD")
    const context = { url, crossSite: site === "cross-site", navigation, safeNavigation }
    const headers = new Headers(this.#fetchMetadata(visit, site, method))
    const cookie = this.cookies.header(context)
    if (cookie !== undefined) headers.set("cookie", cookie)
    const body = encoded(visit.body, headers)
    for (const [name, value] of Object.entries({ ...this.#headers, ...visit.headers })) {
      headers.set(name, value)
    }
    const response = await this.app(
      new Request(url, { method, headers, ...body, redirect: "manual" }),
    )
    this.setCookies = response.headers.getSetCookie()
    this.cookies.take(this.setCookies, context)
    this.#starts.set(response, { url, from: visit.from })
    return response
  }

  /** `Origin` goes with everything that may change something (Fetch section 3.2), the rest is Fetch Metadata. */
  #fetchMetadata(
    { mode, from }: Visit,
    site: SecFetchSite,
    method: string,
  ): Record<string, string> {
    const safe = method === "GET" || method === "HEAD"
    const named = !safe || (mode === "cors" && site !== "same-origin")
    return {
      "sec-fetch-site": site,
      "sec-fetch-mode": mode,
      "sec-fetch-dest": mode === "navigate" ? "document" : "empty",
      ...(mode === "navigate" && { "sec-fetch-user": "?1" }),
      accept: mode === "navigate" ? "text/html,application/xhtml+xml,*/*;q=0.8" : "*/*",
      ...(named && from !== undefined && { origin: from }),
    }
  }
}

function encoded(body: FormFields | undefined, headers: Headers): { body?: string } {
  if (body === undefined) return {}
  if (typeof body === "string") return { body }
  headers.set("content-type", "application/x-www-form-urlencoded")
  return { body: new URLSearchParams(body).toString() }
}
