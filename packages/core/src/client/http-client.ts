/** Asking the server. */

import { type ClientFailure, offlineFailure } from "./client-failure.ts"
import { createNoPageError } from "./navigate.ts"
import {
  type DataReply,
  parseDataReply,
  parseRedirectReply,
  parseReply,
  type RedirectReply,
  type ReplyParser,
  readTextProperty,
} from "./reply.ts"

/** Where the server is. */
export interface HttpClientOptions {
  /**
   * The path that the library's actions are under: the one place to set it.
   *
   * @defaultValue `"/auth"`
   */
  readonly basePath?: string
  /** Where the server is, for use outside of a browser. A page asks its own origin. */
  readonly origin?: string
  /**
   * Asks in place of the global `fetch`.
   *
   * @defaultValue the global `fetch`, looked up when it is needed
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The fields of a form. Objects are left out, files too. */
type RequestFields = Readonly<Record<string, unknown>>

/** The server, as this page sees it. */
export interface HttpClient {
  /** The base path without its trailing slash. */
  readonly basePath: string
  /**
   * The URL of an action, absolute in a page.
   *
   * @throws TypeError where there is no page, and no `fetch` or `origin` of the application
   */
  actionUrl(path: string): string
  /** Asks an action for JSON. */
  getJson<Body>(path: string): Promise<DataReply<Body> | ClientFailure>
  /** Asks for a token for this browser, which the body has none of where a framework does the check. */
  getCsrfToken(): Promise<DataReply | ClientFailure>
  /** Posts a form with a CSRF token to an action that leads on. */
  postForm(path: string, fields: RequestFields): Promise<RedirectReply | ClientFailure>
  /** Posts JSON with a CSRF token. */
  postJson(path: string, fields: RequestFields): Promise<DataReply | ClientFailure>
}

/** How long an answer is waited for, in milliseconds: the server ends its own work after 30 seconds. */
const requestTimeout = 40_000

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { basePath: configuredBasePath = "/auth", origin, fetch: customFetch } = options
  // One slash in front, none at the end and none twice: `//auth` would be another host.
  const basePath = `/${configuredBasePath}`.replace(/\/+(?=\/|$)/g, "")

  function actionUrl(path: string): string {
    const base = origin ?? globalThis.location?.origin
    if (base ?? customFetch) return (base ?? "") + basePath + path
    throw createNoPageError()
  }

  async function sendRequest<T>(
    path: string,
    parser: ReplyParser<T>,
    body?: BodyInit,
  ): Promise<T | ClientFailure> {
    const requestUrl = actionUrl(path)
    const requestInit = body && { body, method: "POST", headers: { "X-Auth-Return-Redirect": "1" } }
    const signal = AbortSignal.timeout(requestTimeout)
    try {
      const response = await (customFetch ?? fetch)(requestUrl, { ...requestInit, signal })
      return parseReply(parser, response, await response.text(), requestUrl)
    } catch {
      return offlineFailure
    }
  }

  // What an action answers is the library's own doing; `told` takes it as it is.
  const getJson = <Body>(path: string): Promise<DataReply<Body> | ClientFailure> =>
    sendRequest(path, parseDataReply as ReplyParser<DataReply<Body>>)

  async function getCsrfToken(): Promise<DataReply | ClientFailure> {
    const reply = await getJson<unknown>("/csrf")
    const isOff = "status" in reply && reply.status === 404
    return isOff ? { ok: true, body: null } : reply
  }

  /** Posts with a token; one that is none any more by then is made anew, once. */
  async function postWithToken<T extends { readonly ok: true }>(
    path: string,
    fields: RequestFields,
    encode: (fields: RequestFields) => BodyInit,
    parser: ReplyParser<T>,
    canRetry = true,
  ): Promise<T | ClientFailure> {
    // A token that came with a page proves something of that page: another one would not.
    const pageToken = fields["csrfToken"]
    const tokenReply = pageToken ? { ok: true as const, body: fields } : await getCsrfToken()
    if (!tokenReply.ok) return tokenReply
    const fieldsWithToken = { ...fields, csrfToken: readTextProperty(tokenReply.body, "csrfToken") }
    const reply = await sendRequest(path, parser, encode(fieldsWithToken))
    const isTokenExpired = !reply.ok && reply.error === "MissingCSRF" && !pageToken
    return isTokenExpired && canRetry ? postWithToken(path, fields, encode, parser, false) : reply
  }

  return {
    basePath,
    actionUrl,
    getJson,
    getCsrfToken,
    postForm: (path, fields) => postWithToken(path, fields, encodeForm, parseRedirectReply),
    postJson: (path, fields) => postWithToken(path, fields, encodeJson, parseDataReply),
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
