/** The cookies of a response of Node.js, for frameworks that have it instead of a `Response`. */
import { serializeCookie } from "../http/cookies.ts"
import { disableCaching, getUncachedValue } from "./cache-headers.ts"
import { mergeSetCookies, type ResponseCookies } from "./set-cookie.ts"

/** The parts of a response of Node.js that the library uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | string[] | undefined
  getHeaderNames?(): string[]
  setHeader(name: string, value: number | string | readonly string[]): unknown
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
      const getHeader = (name: string) => res.getHeader(name)?.toString()
      const setHeader = res.setHeader.bind(res)
      disableCaching(res.getHeaderNames?.() ?? [], getHeader, setHeader)
      if (Object.hasOwn(res, "setHeader")) return
      res.setHeader = (name, value) =>
        setHeader(name, typeof value === "string" ? getUncachedValue(name, value) : value)
    },
  }
}
