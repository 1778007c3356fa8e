/** What callbacks and events see of a request. */
import type { RequestView } from "../types.ts"
import type { HeaderReader, RequestHeaders } from "./incoming-request.ts"

/** A request from which a view reads. Headers that cannot be listed stay unknown. */
export interface RequestSource {
  readonly url: string | URL
  readonly headers: HeaderReader | RequestHeaders
  readonly clientAddress?: string | undefined
}

/** Copies what is read, when it is first read. */
export class LazyRequestView implements RequestView {
  readonly #source: RequestSource
  #url: URL | undefined
  #headers: Headers | undefined

  constructor(source: RequestSource) {
    this.#source = source
  }

  get url(): URL {
    this.#url ??= new URL(this.#source.url)
    return this.#url
  }

  get headers(): Headers {
    const { headers } = this.#source
    this.#headers ??= new Headers(Symbol.iterator in headers ? [...headers] : [])
    return this.#headers
  }

  get clientAddress(): string | undefined {
    return this.#source.clientAddress
  }
}

/**
 * Adds the request to the parameters of a callback, or to the message of an event. It is not enumerable, so that copies
 * and logs have the parameters that Auth.js passes, and no cookies.
 */
export function addRequest<Params extends object>(
  params: Params,
  source: RequestSource,
): Params & { readonly request: RequestView } {
  const value: RequestView = new LazyRequestView(source)
  return Object.defineProperty(params, "request", { value }) as Params & { request: RequestView }
}
