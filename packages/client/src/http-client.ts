/** Sends requests to the library's actions. */
import {
  type ClientFailure,
  createFailure,
  type ResponseStatus,
  toFailure,
} from "./client-failure.ts"
import type { ClientOptions, PublicProviders } from "./client-types.ts"
import { createNoPageError } from "./navigate.ts"

/** A JSON response. */
export type DataReply<Body = unknown> = ResponseStatus & { readonly ok: true; readonly body: Body }

/** A response that names the next page by an absolute http(s) URL. */
export type RedirectReply = ResponseStatus & { readonly ok: true; readonly url: string }

/** The response to a successful request with JSON, and the URL that it came from. */
type JsonReply = DataReply & RedirectReply & { readonly headers: Headers }

/** The fields of a form. Objects and files are left out. */
type RequestFields = Readonly<Record<string, unknown>>

/** How long to wait for a response, in milliseconds. The server limits its own work to 30 seconds. */
const requestTimeout = 40_000

export interface HttpClient {
  /** The base path without its trailing slash. */
  readonly basePath: string
  /**
   * Returns the URL of an action, which is absolute in a page.
   *
   * @throws TypeError if there is no page, no `fetch` and no `origin`
   */
  actionUrl(path: string): string
  /** Requests the JSON of an action, which responds with the type that the caller names. */
  getJson<Body>(path: string): Promise<DataReply<Body> | ClientFailure>
  /** Requests the providers once. They change only when the server restarts. */
  getProviders(): Promise<DataReply<PublicProviders> | ClientFailure>
  /** Requests a CSRF token; undefined if the framework protects against CSRF. */
  getCsrfToken(): Promise<DataReply<string | undefined> | ClientFailure>
  /** Posts a form with a CSRF token to an action that redirects. */
  postForm(path: string, fields: RequestFields): Promise<RedirectReply | ClientFailure>
  /** Posts JSON with a CSRF token. */
  postJson(path: string, fields: RequestFields): Promise<DataReply | ClientFailure>
}

export function createHttpClient(options: ClientOptions, defaultBasePath: string): HttpClient {
  const { origin, fetch: customFetch } = options
  // Exactly one slash at the start: `//auth` would be another host.
  const basePath = `/${options.basePath ?? defaultBasePath}`.replace(/\/+(?=\/|$)/g, "")
  let providers: DataReply<PublicProviders> | undefined

  function actionUrl(path: string): string {
    const base = origin ?? globalThis.location?.origin
    if (base ?? customFetch) return (base ?? "") + basePath + path
    throw createNoPageError()
  }

  async function sendRequest<Reply>(
    path: string,
    parse: (reply: JsonReply) => Reply | ClientFailure,
    body?: BodyInit,
  ): Promise<(Reply & ResponseStatus) | ClientFailure> {
    const requestUrl = actionUrl(path)
    const init = body && { body, method: "POST", headers: { "X-Auth-Return-Redirect": "1" } }
    const signal = AbortSignal.timeout(requestTimeout)
    let status = 0
    const readReply = async (): Promise<Reply | ClientFailure> => {
      try {
        const response = await (customFetch ?? fetch)(requestUrl, { ...init, signal })
        const text = await response.text()
        const { headers, url } = response
        status = response.status
        if (status === 429) {
          const retryAfter = Number(headers.get("retry-after")) || undefined
          // The library's response names its page; a proxy's does not.
          const page = /^{"url":"(http[^"\\]+)"}$/.exec(text)?.[1]
          return createFailure("rate-limited", "TooManyRequests", { page, retryAfter })
        }
        const json = JSON.parse(text)
        if (status === 200) return parse({ ok: true, body: json, url: url || requestUrl, headers })
        if (status === 400 && json === null) return toFailure("MissingCSRF")
      } catch {
        // No response, or not one of the library, but for example a page, because the base path is wrong.
      }
      return status
        ? createFailure("unavailable", "Unavailable")
        : createFailure("offline", "Offline")
    }
    return { ...(await readReply()), status }
  }

  async function getCsrfToken(): ReturnType<HttpClient["getCsrfToken"]> {
    const reply = await sendRequest("/csrf", ({ body }) => ({
      ok: true as const,
      body: readTextProperty(body, "csrfToken"),
    }))
    return reply.status === 404 ? { ok: true, body: undefined } : reply
  }

  /** Posts with a CSRF token, and once more with a new token if that has expired. */
  async function postWithToken<Reply extends { readonly ok: true }>(
    fields: RequestFields,
    post: (fields: RequestFields) => Promise<Reply | ClientFailure>,
    canRetry = true,
  ): Promise<Reply | ClientFailure> {
    // A token from the page proves something about the page, so another token must not replace it.
    if (fields["csrfToken"]) return post(fields)
    const tokenReply = await getCsrfToken()
    if (!tokenReply.ok) return tokenReply
    const reply = await post({ ...fields, csrfToken: tokenReply.body })
    const isTokenExpired = !reply.ok && reply.error === "MissingCSRF"
    return isTokenExpired && canRetry ? postWithToken(fields, post, false) : reply
  }

  const httpClient: HttpClient = {
    basePath,
    actionUrl,
    getJson: <Body>(path: string) => sendRequest(path, (reply) => reply as DataReply<Body>),
    async getProviders() {
      const reply = providers ?? (await httpClient.getJson<PublicProviders>("/providers"))
      if (reply.ok) providers = reply
      return reply
    },
    getCsrfToken,
    postForm: (path, fields) =>
      postWithToken(fields, (allFields) => sendRequest(path, parseRedirect, encodeForm(allFields))),
    postJson: (path, fields) =>
      postWithToken(fields, (allFields) => {
        const body = new Blob([JSON.stringify(allFields)], { type: "application/json" })
        return sendRequest<DataReply>(path, (reply) => reply, body)
      }),
  }
  return httpClient
}

function encodeForm(fields: RequestFields): URLSearchParams {
  const entries = Object.entries(fields)
    .filter(([name, value]) => value != null && (typeof value !== "object" || name === "flow"))
    .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : `${value}`])
  return new URLSearchParams(entries)
}

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
  return toFailure(error, target.href, query)
}

/** Returns a text property of a JSON object. */
function readTextProperty(body: unknown, name: string): string | undefined {
  const value: unknown = Object(body)[name]
  return typeof value === "string" ? value : undefined
}
