/** The cookies of a response of Node.js, for frameworks that have it instead of a `Response`. */
import { serializeCookie } from "../http/cookies.ts"
import { affectsCaching, disableCaching, getUncachedValue } from "./cache-headers.ts"
import { mergeSetCookies, type ResponseCookies } from "./set-cookie.ts"

/** The parts of a response of Node.js that the library uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | string[] | undefined
  getHeaderNames?(): string[]
  setHeader(name: string, value: number | string | readonly string[]): unknown
  writeHead?(status: number, ...rest: unknown[]): unknown
}

/** Returns the `Set-Cookie` lines of a response so far. */
export function getNodeSetCookieLines(res: Pick<NodeResponse, "getHeader">): string[] {
  return [res.getHeader("set-cookie") ?? []].flat().map(String)
}

/** Writes cookies to the response at once, and keeps it out of caches whatever the application writes afterwards. */
export function createNodeCookies(res: NodeResponse): ResponseCookies {
  const getLines = () => getNodeSetCookieLines(res)
  return {
    getLines,
    canSet: () => !res.headersSent,
    set(cookies) {
      if (cookies.length === 0) return
      res.setHeader("set-cookie", mergeSetCookies(getLines(), cookies.map(serializeCookie)))
      keepNodeResponseOutOfCaches(res)
    },
  }
}

const uncachedResponses = new WeakSet<NodeResponse>()

/** Replaces the methods that write headers. Frameworks may have replaced them before. */
function keepNodeResponseOutOfCaches(res: NodeResponse): void {
  if (uncachedResponses.has(res)) return
  uncachedResponses.add(res)
  const setHeader = res.setHeader.bind(res)
  const writeHead = res.writeHead?.bind(res)
  const limitCaching = () =>
    disableCaching(
      res.getHeaderNames?.() ?? [],
      (name) => getHeaderText(res.getHeader(name)),
      setHeader,
    )
  limitCaching()
  res.setHeader = (name, value) => setHeader(name, getUncachedHeader(name, value))
  if (!writeHead) return
  // Node.js calls it before it sends the headers, if nobody else has.
  res.writeHead = (status, ...rest) => {
    limitCaching()
    return writeHead(status, ...rest.map(getUncachedHeaders))
  }
}

type NodeHeader = number | string | readonly string[]

function getHeaderText(value: NodeHeader | undefined): string {
  return [value ?? []].flat().join(", ")
}

function getUncachedHeader(name: string, value: NodeHeader): NodeHeader {
  return affectsCaching(name) ? getUncachedValue(name, getHeaderText(value)) : value
}

/** Returns the headers of `writeHead`, which has the status message in the same place: by their names, or in one list. */
function getUncachedHeaders(headers: unknown): unknown {
  if (typeof headers !== "object" || headers === null) return headers
  if (Array.isArray(headers))
    return headers.map((item, index) =>
      index % 2 === 1 ? getUncachedHeader(String(headers[index - 1]), item) : item,
    )
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, getUncachedHeader(name, value)]),
  )
}
