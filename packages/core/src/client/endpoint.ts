/** Asking the server. */
import { type Led, led, type Reading, type Told, textIn, told, understood } from "./answer.ts"
import { type Failure, offline } from "./failure.ts"
import { noPage } from "./navigate.ts"

/** Where the server is. */
export interface EndpointOptions {
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
type Fields = Readonly<Record<string, unknown>>

/** The server, as this page sees it. */
export interface Endpoint {
  /** The base path without its trailing slash. */
  readonly basePath: string
  /**
   * The URL of an action, absolute in a page.
   *
   * @throws TypeError where there is no page, and no `fetch` or `origin` of the application
   */
  url(path: string): string
  /** Asks an action for JSON. */
  get<Body>(path: string): Promise<Told<Body> | Failure>
  /** Asks for a token for this browser, which the body has none of where a framework does the check. */
  csrf(): Promise<Told | Failure>
  /** Posts a form with a CSRF token to an action that leads on. */
  post(path: string, fields: Fields): Promise<Led | Failure>
  /** Posts JSON with a CSRF token. */
  postJson(path: string, fields: Fields): Promise<Told | Failure>
}

/** How long an answer is waited for, in milliseconds: the server ends its own work after 30 seconds. */
const patience = 40_000

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { basePath: written = "/auth", origin, fetch: ownFetch } = options
  // One slash in front, none at the end and none twice: `//auth` would be another host.
  const basePath = `/${written}`.replace(/\/+(?=\/|$)/g, "")

  function url(path: string): string {
    const base = origin ?? globalThis.location?.origin
    if (base ?? ownFetch) return (base ?? "") + basePath + path
    throw noPage()
  }

  async function ask<T>(path: string, reading: Reading<T>, body?: BodyInit): Promise<T | Failure> {
    const asked = url(path)
    const post = body && { body, method: "POST", headers: { "X-Auth-Return-Redirect": "1" } }
    const signal = AbortSignal.timeout(patience)
    try {
      const response = await (ownFetch ?? fetch)(asked, { ...post, signal })
      return understood(reading, response, await response.text(), asked)
    } catch {
      return offline
    }
  }

  // What an action answers is the library's own doing; `told` takes it as it is.
  const get = <Body>(path: string): Promise<Told<Body> | Failure> =>
    ask(path, told as Reading<Told<Body>>)

  async function csrf(): Promise<Told | Failure> {
    const answer = await get<unknown>("/csrf")
    const isOff = "status" in answer && answer.status === 404
    return isOff ? { ok: true, body: null } : answer
  }

  /** Posts with a token; one that is none any more by then is made anew, once. */
  async function post<T extends { readonly ok: true }>(
    path: string,
    fields: Fields,
    encode: (fields: Fields) => BodyInit,
    reading: Reading<T>,
    again = true,
  ): Promise<T | Failure> {
    // A token that came with a page proves something of that page: another one would not.
    const given = fields["csrfToken"]
    const made = given ? { ok: true as const, body: fields } : await csrf()
    if (!made.ok) return made
    const all = { ...fields, csrfToken: textIn(made.body, "csrfToken") }
    const answer = await ask(path, reading, encode(all))
    const isOld = !answer.ok && answer.error === "MissingCSRF" && !given
    return isOld && again ? post(path, fields, encode, reading, false) : answer
  }

  return {
    basePath,
    url,
    get,
    csrf,
    post: (path, fields) => post(path, fields, form, led),
    postJson: (path, fields) => post(path, fields, json, told),
  }
}

function form(fields: Fields): BodyInit {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value != null && typeof value !== "object") body.set(name, `${value}`)
  }
  return body
}

const json = (fields: Fields): BodyInit =>
  new Blob([JSON.stringify(fields)], { type: "application/json" })
