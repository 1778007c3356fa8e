/** What is used of SolidStart. Described, not imported: version 1 and version 2 both have it. */
import { RequestContext } from "solid-js/web"

/** What a request is told from: a `Request`, or an object that looks like one. */
export interface StartRequest {
  /** A URL, or only its path and query. */
  readonly url: string
  readonly headers: Headers
  readonly method?: string
}

/** The parts that the library reads of an event: of a route, of a middleware, or of `getRequestEvent`. */
export interface StartEvent<R extends StartRequest = StartRequest> {
  readonly request: R
  /** The headers that the answer will have. */
  readonly response?: { readonly headers: Headers } | undefined
  /** The event of h3: version 1 in SolidStart 1, version 2 in SolidStart 2. */
  readonly nativeEvent?: unknown
}

/** The request and the answer of Node.js. */
export interface NodeEventContext {
  readonly req?: { readonly socket?: { readonly encrypted?: boolean } | undefined } | undefined
  readonly res?: { readonly headersSent?: boolean } | undefined
}

/**
 * The two sides of Node.js in SolidStart 1; undefined in SolidStart 2, whose `node` is no property of the event itself,
 * and which can be believed without them.
 */
export function getNodeContext({ nativeEvent }: StartEvent): NodeEventContext | undefined {
  if (typeof nativeEvent !== "object" || nativeEvent === null) return undefined
  const node: unknown = Object.getOwnPropertyDescriptor(nativeEvent, "node")?.value
  // What h3 1 puts there: all parts of it are looked at with `?.`.
  return typeof node === "object" && node !== null ? (node as NodeEventContext) : undefined
}

/** Where Solid keeps the event of each request: an `AsyncLocalStorage`. */
interface RequestEventStorage {
  getStore(): StartEvent | undefined
}

/**
 * The event that is being answered.
 *
 * `getRequestEvent` is not asked: where it knows none, it takes that of the page that was rendered last, which may be
 * another person's.
 */
export function getCurrentEvent(): StartEvent | undefined {
  const storage: RequestEventStorage | undefined = Reflect.get(globalThis, RequestContext)
  return storage?.getStore()
}

/** The event of a request; only the request where its event is not the one that is being answered. */
export function findEvent(request: StartRequest): StartEvent {
  const current = getCurrentEvent()
  return current?.request === request ? current : { request }
}
