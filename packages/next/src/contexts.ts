/** The contexts of requests: how each place of Next.js reads headers and sets cookies. */
import type { IncomingMessage, ServerResponse } from "node:http"
import {
  AuthContext,
  createNodeCookies,
  createResponseCookies,
  type RequestHeaders,
  type ResponseCookies,
} from "@latchkey/core/integration"
import { cookies as readCookies, headers as readHeaders } from "next/headers.js"
import { connection, type NextRequest } from "next/server.js"
import type { NextAuth } from "./resolve-auth.ts"

/** Where the proxy tells the path and query of a page, which Next.js keeps from components. */
export const pathHeader = "x-latchkey-path"

type CookieStore = Awaited<ReturnType<typeof readCookies>>

/** Returns the context of the current request in a component, an action or a route handler: the same one throughout it. */
export type GetCurrentContext = (getAuth: () => Promise<NextAuth>) => Promise<AuthContext>

export function createCurrentContextGetter(): GetCurrentContext {
  const current = new WeakMap<object, { context: AuthContext; store: CookieStore }>()
  return async (getAuth) => {
    // Before anything that reads the clock or a random value, so that no session becomes part of a prerendered page.
    await connection()
    const [headers, store] = await Promise.all([readHeaders(), readCookies()])
    const existing = current.get(headers)
    if (existing) {
      // Cookies can be set while an action runs, and not any more while the page is rendered after it.
      existing.store = store
      return existing.context
    }
    const auth = await getAuth()
    const cookies = createResponseCookies(({ name, value, options }) => {
      created.store.set({ ...options, name, value })
    })
    cookies.canSet = () => canSetCookies(created.store)
    const created = { store, context: createContext(auth, headers, getPagePath(headers), cookies) }
    current.set(headers, created)
    return created.context
  }
}

/** Whether the store is that of an action or a route handler. In components, all functions that write are one that throws. */
function canSetCookies(store: CookieStore): boolean {
  return (store.set as unknown) !== store.delete
}

function getPagePath(headers: RequestHeaders): string {
  return headers.get(pathHeader) ?? "/"
}

/** Creates the context of a request to the proxy, which collects cookies. */
export function createRequestContext(auth: NextAuth, request: NextRequest): AuthContext {
  const cookies = createResponseCookies(() => {})
  const { headers } = request
  return createContext(auth, headers, getTarget(request), cookies)
}

/** Returns path and query of a request. In route handlers, Next.js takes its `basePath` off. */
export function getTarget({ url }: Pick<Request, "url">): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The request and response of the Pages Router. */
export interface PagesExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

const pagesContexts = new WeakMap<IncomingMessage, AuthContext>()

/** Returns the context of a request to the Pages Router: the same one throughout it. */
export function getPagesContext(auth: NextAuth, { req, res }: PagesExchange): AuthContext {
  const existing = pagesContexts.get(req)
  // An application may have several configurations, whose sessions are not the same.
  if (existing?.integratedAuth === auth.integratedAuth) return existing
  const context = createContext(auth, toHeaders(req), req.url ?? "/", createNodeCookies(res))
  pagesContexts.set(req, context)
  return context
}

/** Returns the headers of a request of Node.js. The proxy of Next.js changes only the object. */
export function toHeaders({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(":"))
  return new Headers(entries.map(([name, value]) => [name, [value ?? ""].flat().join(", ")]))
}

function createContext(
  auth: NextAuth,
  headers: RequestHeaders,
  target: string,
  cookies: ResponseCookies,
): AuthContext {
  const resolveUrl = () => auth.resolveUrl(headers, target)
  const clientAddress = auth.getClientAddress(headers)
  return new AuthContext(auth.integratedAuth, { headers, resolveUrl, cookies, clientAddress })
}
