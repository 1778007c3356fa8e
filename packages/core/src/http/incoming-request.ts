/** A request as a server has it: in web terms where it is, and only where somebody asks where it is not. */

/** What is looked up in the headers of every request. */
export type HeaderReader = Pick<Headers, "get" | "has">

/**
 * A request to one of the actions. Most need nothing of it but its method and a header or two, and servers without web
 * objects are not made to build them.
 */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string
  readonly headers: HeaderReader
  /** All of it: the same object whenever it is asked for, with its body unread and a signal for the client's departure. */
  readonly request: Request
}

/** What a server has that speaks in web terms. */
export function createIncomingRequest(request: Request): IncomingRequest {
  return { method: request.method, headers: request.headers, request }
}
