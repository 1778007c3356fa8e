/** The part of a request that callbacks and events see. */
import type { FlowData, RequestView } from "../types.ts"
import type { HeaderReader, RequestHeaders } from "./incoming-request.ts"

/** A request from which a view reads. Headers that cannot be listed stay unknown. */
export interface RequestSource {
  readonly url: string | URL
  readonly headers: HeaderReader | RequestHeaders
  readonly clientAddress?: string | undefined
}

/**
 * Adds `request` to the parameters of a callback, or to the message of an event, and `flow` if data travelled through the
 * sign-in. They are not enumerable, so that copies and logs have the parameters that Auth.js passes, and no cookies. The
 * members of `request` are copied whenever they are read.
 */
export function addRequest<Params extends object>(
  params: Params,
  { source, flow }: { readonly source: RequestSource; readonly flow?: FlowData | undefined },
): Params & { readonly request: RequestView } {
  const value = new CallbackRequest(source)
  if (flow !== undefined) Object.defineProperty(params, "flow", { value: structuredClone(flow) })
  return Object.defineProperty(params, "request", { value }) as Params & { request: RequestView }
}

/**
 * A class, because an object with getters of its own costs several times as much, above all in garbage collection. Copies
 * and logs of it are empty.
 */
class CallbackRequest implements RequestView {
  readonly #source: RequestSource

  constructor(source: RequestSource) {
    this.#source = source
  }

  get url(): URL {
    return new URL(this.#source.url)
  }

  get headers(): Headers {
    const { headers } = this.#source
    return new Headers(Symbol.iterator in headers ? [...headers] : [])
  }

  get clientAddress(): string | undefined {
    return this.#source.clientAddress
  }
}
