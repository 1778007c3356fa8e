import { type ClientFailure, createFailure, toFailure } from "./client-failure.ts"
import { createNoPageError } from "./navigate.ts"

/** How to reach the server. */
export interface HttpClientOptions {
  /**
   * The base path of the library's actions.
   *
   * @defaultValue `"/auth"`
   */
  readonly basePath?: string
  /** The origin of the server, for use outside of a browser. Pages use their own origin. */
  readonly origin?: string
  /**
   * Replaces the global `fetch`.
   *
   * @defaultValue the global `fetch` at the time of a request
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** A JSON response. */
export interface DataReply<Body = unknown> {
  readonly ok: true
  readonly body: Body
}

/** A response that names the next page. */
export interface RedirectReply {
  readonly ok: true
  /** Absolute, http or https. */
  readonly url: string
}

/** The fields of a form. Objects and files are left out. */
type RequestFields = Readonly<Record<string, unknown>>

/** Sends requests to the library's actions. */
export interface HttpClient {
  /** The base path without its trailing slash. */
  readonly basePath: string
  /**
   * Returns the URL of an action, which is absolute in a page.
   *
   * @throws TypeError if there is no page, no `fetch` and no `origin`
   */
  actionUrl(path: string): string
  getJson<Body>(path: string): Promise<DataReply<Body> | ClientFailure>
  /** Requests a CSRF token. The body has none if the framework protects against CSRF. */
  getCsrfToken(): Promise<DataReply | ClientFailure>
  /** Posts a form with a CSRF token to an action that redirects. */
  postForm(path: string, fields: RequestFields): Promise<RedirectReply | ClientFailure>
  /** Posts JSON with a CSRF token. */
  postJson(path: string, fields: RequestFields): Promise<DataReply | ClientFailure>
}

/** How long to wait for a response, in milliseconds. The server limits its own work to 30 seconds. */
const requestTimeout = 40_000

/** The response to a successful request with JSON, and the URL that it came from. */
interface JsonReply extends DataReply {
  readonly url: string
  readonly headers: Headers
}

/** Reads a reply. If it throws, the response did not come from the library. */
type ReplyParser<T> = (reply: JsonReply) => T | ClientFailure

export function createHttpClient(options: HttpClientOptions, defaultBasePath: string): HttpClient {
  const { origin, fetch: customFetch } = options
  // Exactly one slash at the start: `//auth` would be another host.
  const basePath = `/${options.basePath ?? defaultBasePath}`.replace(/\/+(?=\/|$)/g, "")

  function actionUrl(path: string): string {
    const base = origin ?? globalThis.location?.origin
    if (base ?? customFetch) return (base ?? "") + basePath + path
    throw createNoPageError()
  }

  async function sendRequest<T>(
    path: string,
    parse: ReplyParser<T>,
    body?: BodyInit,
  ): Promise<T | ClientFailure> {
    const requestUrl = actionUrl(path)
    const requestInit = body && { body, method: "POST", headers: { "X-Auth-Return-Redirect": "1" } }
    const signal = AbortSignal.timeout(requestTimeout)
    try {
      const response = await (customFetch ?? fetch)(requestUrl, { ...requestInit, signal })
      return parseResponse(response, await response.text(), requestUrl, parse)
    } catch {
      return createFailure("offline", "Offline")
    }
  }

  async function getCsrfToken(): Promise<DataReply | ClientFailure> {
    const reply = await sendRequest("/csrf", returnReply)
    const isDisabled = "status" in reply && reply.status === 404
    return isDisabled ? { ok: true, body: null } : reply
  }

  /** Posts with a CSRF token, and once more with a new token if that has expired. */
  async function postWithToken<T extends { readonly ok: true }>(
    path: string,
    fields: RequestFields,
    encode: (fields: RequestFields) => BodyInit,
    parse: ReplyParser<T>,
    canRetry = true,
  ): Promise<T | ClientFailure> {
    // A token from the page proves something about the page, so another token must not replace it.
    const pageToken = fields["csrfToken"]
    const tokenReply = pageToken ? { ok: true as const, body: fields } : await getCsrfToken()
    if (!tokenReply.ok) return tokenReply
    const csrfToken = readTextProperty(tokenReply.body, "csrfToken")
    const reply = await sendRequest(path, parse, encode({ ...fields, csrfToken }))
    const isTokenExpired = !reply.ok && reply.error === "MissingCSRF" && !pageToken
    return isTokenExpired && canRetry ? postWithToken(path, fields, encode, parse, false) : reply
  }

  return {
    basePath,
    actionUrl,
    // The actions respond with the types that their callers name.
    getJson: <Body>(path: string) => sendRequest(path, returnReply as ReplyParser<DataReply<Body>>),
    getCsrfToken,
    postForm: (path, fields) => postWithToken(path, fields, encodeForm, parseRedirect),
    postJson: (path, fields) => postWithToken(path, fields, encodeJson, returnReply),
  }
}

function encodeForm(fields: RequestFields): BodyInit {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value != null && typeof value !== "object") body.set(name, `${value}`)
  }
  return body
}

const encodeJson = (fields: RequestFields): BodyInit =>
  new Blob([JSON.stringify(fields)], { type: "application/json" })

function parseResponse<T>(
  { status, headers, url }: Response,
  text: string,
  requestUrl: string,
  parse: ReplyParser<T>,
): T | ClientFailure {
  if (status === 429) {
    return toFailure("TooManyRequests", undefined, Number(headers.get("retry-after")) || undefined)
  }
  try {
    const body: unknown = JSON.parse(text)
    if (status === 200) return parse({ ok: true, body, url: url || requestUrl, headers })
    if (status === 400 && body === null) return toFailure("MissingCSRF")
  } catch {
    // Not a response of the library, but for example a page, because the base path is wrong.
  }
  return createFailure("unavailable", "Unavailable", { status })
}

const returnReply: ReplyParser<DataReply> = (reply) => reply

/**
 * Reads the response of an action that redirects.
 *
 * @throws when it contains no http(s) URL
 */
function parseRedirect({ body, url, headers }: JsonReply): RedirectReply | ClientFailure {
  const target = new URL(readTextProperty(body, "url") ?? "none:", url)
  if (!/^https?:$/.test(target.protocol)) throw new TypeError()
  const query = target.searchParams
  const error = query.get("error")
  // The URL of a page may contain the error of an earlier attempt. A redirect for an error has no `Location`.
  if (error === null || headers.has("location")) return { ok: true, url: target.href }
  return toFailure(error, target.href, undefined, query.get("code"))
}

/** Returns a text property of a JSON object. */
export function readTextProperty(body: unknown, name: string): string | undefined {
  const value: unknown = Object(body)[name]
  return typeof value === "string" ? value : undefined
}
