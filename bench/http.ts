/** Requests and responses, the same for every library and for both transports: in process and over HTTP. */

/** A request as a browser sends it. */
export interface HttpRequest {
  readonly method: "GET" | "POST"
  /** Path and query. */
  readonly path: string
  /** The `Cookie` header. */
  readonly cookie?: string
  /** Fields of a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: object
}

/** A response with its complete body. */
export interface HttpResponse {
  readonly status: number
  readonly body: string
  readonly location: string | undefined
  readonly setCookies: readonly string[]
}

/** Sends a request and reads the complete response. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>

/** Wraps a library that takes a `Request` and returns a `Response`. */
export function createHandlerSender(
  origin: string,
  handle: (request: Request) => Promise<Response>,
): SendRequest {
  return async (request) => {
    const init: RequestInit = { method: request.method, headers: createHeaders(request, origin) }
    const body = encodeBody(request)
    if (body !== undefined) init.body = body
    const response = await handle(new Request(origin + request.path, init))
    return new LazyHttpResponse(response, await response.text())
  }
}

/** Reads only the used parts of a `Response`, because creating it is measured and reading it is not. */
class LazyHttpResponse implements HttpResponse {
  readonly body: string
  readonly #response: Response

  constructor(response: Response, body: string) {
    this.#response = response
    this.body = body
  }

  get status(): number {
    return this.#response.status
  }

  get location(): string | undefined {
    return this.#response.headers.get("location") ?? undefined
  }

  get setCookies(): readonly string[] {
    return this.#response.headers.getSetCookie()
  }
}

/** Returns the headers of a request; forms have an `Origin`, as in browsers. */
export function createHeaders(request: HttpRequest, origin: string): Record<string, string> {
  const headers: Record<string, string> = {}
  if (request.cookie !== undefined) headers["cookie"] = request.cookie
  if (request.method === "POST") headers["origin"] = origin
  if (request.form) headers["content-type"] = "application/x-www-form-urlencoded"
  if (request.json) headers["content-type"] = "application/json"
  return headers
}

/** The body of a request. */
export function encodeBody({ form, json }: HttpRequest): string | undefined {
  if (form) return new URLSearchParams(form).toString()
  return json && JSON.stringify(json)
}

/** Returns the `Cookie` header after some responses, the latest last. */
export function createCookieHeader(...responses: readonly HttpResponse[]): string {
  const cookies = new Map<string, string>()
  for (const line of responses.flatMap(({ setCookies }) => setCookies)) {
    const [pair = "", ...attributes] = line.split(";")
    const separatorIndex = pair.indexOf("=")
    const name = pair.slice(0, separatorIndex).trim()
    const isDeleted = attributes.some((attribute) =>
      /^\s*(?:max-age=0|expires=.*\b1970\b.*)\s*$/i.test(attribute),
    )
    if (isDeleted) cookies.delete(name)
    else cookies.set(name, pair.slice(separatorIndex + 1).trim())
  }
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
}
