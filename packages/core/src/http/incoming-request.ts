/** A request that becomes a web `Request` only when a caller needs one. */

/** Reads single headers, as `Headers` does. */
export type HeaderReader = Pick<Headers, "get">

/**
 * A request to one of the actions. Most actions need only its method and a few headers, so servers without web objects
 * do not have to create them.
 */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string
  readonly headers: HeaderReader
  /** The complete request: always the same object, with its body unread and a signal that aborts on disconnect. */
  readonly request: Request
  /** The address of the client: of the connection, or what the framework takes from proxies that it trusts. */
  readonly clientAddress?: string | undefined
}

/** Wraps the request of a server that uses web objects. */
export function createIncomingRequest(request: Request, clientAddress?: string): IncomingRequest {
  return { method: request.method, headers: request.headers, request, clientAddress }
}
