/** What is used of Qwik's request events. Described, not imported: version 1 and version 2 both have it. */

/** The parts of a request event that the library reads to tell who is signed in. */
export interface QwikEvent {
  readonly request: Request
  /** Of the page, whatever else the path of the request says. */
  readonly url: URL
  /** The path of the application, with a slash at both ends. */
  readonly basePathname: string
  readonly env: EnvGetter
  /** There is one for each request, whichever event of it this is. */
  readonly sharedMap: ReadonlyMap<string, unknown>
  readonly cookie: {
    set(name: string, value: string): void
  }
  /** Those of the answer. */
  readonly headers: Headers
}

/** How Qwik hands out environment variables. */
export interface EnvGetter {
  get(name: string): string | undefined
}

/** An event whose request can be answered. What is returned is to be thrown. */
export interface MiddlewareEvent extends QwikEvent {
  send(response: Response): unknown
  redirect(status: 303, url: string): unknown
}

/** The event of an action. */
export interface ActionEvent extends MiddlewareEvent {
  readonly query: URLSearchParams
  fail<T extends Record<string, unknown>>(status: number, data: T): T & { failed: true }
}
