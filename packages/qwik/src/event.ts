/** The parts of Qwik's request events that this package uses, declared here to fit version 1 and version 2. */

/** The parts of a request event that the library reads to find the session. */
export interface QwikEvent {
  readonly request: Request
  /** The URL of the page, even if the path of the request is another one. */
  readonly url: URL
  /** The path of the application, with a slash at both ends. */
  readonly basePathname: string
  readonly env: EnvGetter
  /** The connection, as the server or platform describes it. */
  readonly clientConn?: { readonly ip?: string | undefined } | undefined
  /** One per request. All events of the request share it. */
  readonly sharedMap: Map<string, unknown>
  readonly cookie: {
    set(name: string, value: string): void
  }
  /** The headers of the response. */
  readonly headers: Headers
  /** Whether the response has been sent. */
  readonly headersSent?: boolean
}

/** Qwik's access to environment variables. */
export interface EnvGetter {
  get(name: string): string | undefined
}

/** An event that can respond to its request. Throw what its methods return. */
export interface MiddlewareEvent extends QwikEvent {
  /** The data of the server. In Node.js, it has the request with the path as it was sent. */
  readonly platform?: { readonly incomingMessage?: NodeRequest | undefined }
  /** Returns the status of the response. */
  status(): number
  /** Runs the handlers of the route, if there is one. The types of some events lack it. */
  next?(): Promise<void>
  send(response: Response): unknown
  redirect(status: 303, url: string): unknown
}

/** The event of an action. */
export interface ActionEvent extends MiddlewareEvent {
  readonly query: URLSearchParams
  fail<T extends Record<string, unknown>>(status: number, data: T): T & { failed: true }
}

/** The parts of a request of Node.js, or of Express and Connect, that have its path and query. */
interface NodeRequest {
  readonly originalUrl?: string
  readonly url?: string | undefined
}

/** Returns the path of the page whose data the router of Qwik 1 requests; other paths unchanged. */
export function removeDataSuffix(pathname: string): string {
  return pathname.replace(/\/q-data\.json$/, "")
}
