/** The parts of SolidStart that this package uses, declared here to fit version 1 and version 2. */
import { RequestContext } from "solid-js/web"

/** A `Request`, or an object with these properties of one. */
export interface StartRequest {
  /** A URL, or only its path and query. */
  readonly url: string
  readonly headers: Headers
  readonly method?: string
}

/** The parts that the library reads of the event of a route, of a middleware, or of `getRequestEvent`. */
export interface StartEvent<R extends StartRequest = StartRequest> {
  readonly request: R
  /** The headers that the response will have. */
  readonly response?: { readonly headers: Headers } | undefined
  /** The event of h3: version 1 in SolidStart 1, version 2 in SolidStart 2. */
  readonly nativeEvent?: unknown
}

/** The request and the response of Node.js. */
export interface NodeEventContext {
  readonly req?:
    | {
        readonly url?: string
        readonly originalUrl?: string
        readonly socket?:
          | { readonly encrypted?: boolean; readonly remoteAddress?: string | undefined }
          | undefined
      }
    | undefined
  readonly res?: { readonly headersSent?: boolean } | undefined
}

/**
 * Returns the request and response of Node.js in SolidStart 1. In SolidStart 2, where `node` is not an own property of
 * the event, it returns undefined, and the event itself can be trusted.
 */
export function getNodeContext({ nativeEvent }: StartEvent): NodeEventContext | undefined {
  if (typeof nativeEvent !== "object" || nativeEvent === null) return undefined
  const node: unknown = Object.getOwnPropertyDescriptor(nativeEvent, "node")?.value
  // h3 1 puts it there. Callers read its parts with `?.`.
  return typeof node === "object" && node !== null ? (node as NodeEventContext) : undefined
}

/** The parts of an event of h3 that tell the address of the client. */
interface AddressEvent {
  readonly context?: { readonly clientAddress?: unknown }
  readonly req?: { readonly ip?: unknown }
}

/**
 * Returns the address of the client: what the platform or a middleware of the application says, otherwise that of the
 * connection, never a header of the request. h3 1 has the connection, and h3 2 a request with `ip`.
 */
export function getClientAddress(event: StartEvent): string | undefined {
  const node = getNodeContext(event)
  const { context, req } = Object(event.nativeEvent) as AddressEvent
  const address = context?.clientAddress ?? (node ? node.req?.socket?.remoteAddress : req?.ip)
  return typeof address === "string" ? address : undefined
}

/** The request of Node.js in an event of h3 2. */
interface RuntimeEvent {
  readonly req?: { readonly runtime?: { readonly node?: NodeEventContext } }
}

/** Returns the path and query as Node.js received them, because h3 resolves them; undefined on other platforms. */
export function getRequestTarget(event: StartEvent): string | undefined {
  const { req } = Object(event.nativeEvent) as RuntimeEvent
  const node = getNodeContext(event) ?? req?.runtime?.node
  return node?.req?.originalUrl ?? node?.req?.url
}

/** Where Solid keeps the event of each request: an `AsyncLocalStorage`. */
interface RequestEventStorage {
  getStore(): StartEvent | undefined
}

/**
 * Returns the event of the current request. `getRequestEvent` would not do: if it knows none, it returns the event of
 * the page that was rendered last, which may be another user's.
 */
export function getCurrentEvent(): StartEvent | undefined {
  const storage: RequestEventStorage | undefined = Reflect.get(globalThis, RequestContext)
  return storage?.getStore()
}

/** Returns the current event if it is that of the request, and otherwise an event with nothing but the request. */
export function findEvent(request: StartRequest): StartEvent {
  const current = getCurrentEvent()
  return current?.request === request ? current : { request }
}
