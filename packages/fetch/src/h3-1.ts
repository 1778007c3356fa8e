/** The handler for h3 1, which has the response of Node.js instead of a `Response`. */
import {
  createNodeCookies,
  isCanonicalTarget,
  type NodeResponse,
  resolveRequestOrigin,
} from "@latchkey/core/integration"
import type { Session } from "@latchkey/core/types"
import type { FetchAuth } from "./fetch-auth.ts"
import { createBody, type NodeRequest } from "./node-http.ts"

/** The parts of an event of h3 1 that the library uses. */
export interface NodeEvent {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly context: { auth?: unknown; clientAddress?: string; cloudflare?: { env?: unknown } }
  readonly node: { readonly req: NodeRequest; readonly res: NodeResponse }
}

type RefusalOptions = ErrorOptions & { readonly statusCode: number; readonly data?: unknown }

/** The error that guards throw. h3 takes it for one of its own, and does not log it because of its status. */
class Refusal extends Error {
  static readonly __h3_error__ = true
  readonly statusCode: number
  readonly data: unknown

  constructor(message: string, { statusCode, data, cause }: RefusalOptions) {
    super(message, { cause })
    this.statusCode = statusCode
    this.data = data
  }
}

function resolveOrigin(scheme: string, headers: Headers): string {
  try {
    return resolveRequestOrigin(scheme, headers, false)
  } catch (cause) {
    throw new Refusal("The Host header is missing or malformed.", { statusCode: 400, cause })
  }
}

/**
 * Creates the handler for h3 1 that responds to requests to the library's actions, and adds `event.context.auth` to all
 * others. In Nuxt 4, it is a file in `server/middleware`.
 *
 * @example
 * export default defineEventHandler(authHandler(auth))
 */
export function authHandler<SessionType extends object = Session>(
  auth: FetchAuth<SessionType, never>,
): (event: NodeEvent) => Promise<Response | undefined> {
  return async (event) => {
    const { method, headers, path, context, node } = event
    const { originalUrl = path, socket } = node.req
    const scheme = socket?.encrypted ? "https" : "http" // h3 itself believes X-Forwarded-Proto
    const url = resolveOrigin(scheme, headers) + originalUrl.replace(/^[/\\]*/, "/")
    const request = new Request(url, { method, headers })
    // The bindings have the type that the application says.
    const env = context.cloudflare?.env as never
    const clientAddress = context.clientAddress ?? socket?.remoteAddress
    if (isCanonicalTarget(originalUrl) && auth.isAuthRequest(request, env)) {
      const init = { body: method === "POST" ? createBody(node.req) : null, duplex: "half" }
      return auth.handler(new Request(request, init), env, { clientAddress })
    }
    const cookies = createNodeCookies(node.res)
    context.auth = auth.for(request, env, {
      clientAddress,
      cookies,
      createRefusal(_, { status, headers, location, body }) {
        const allHeaders = location === undefined ? headers : { ...headers, location }
        for (const [name, value] of Object.entries(allHeaders)) node.res.setHeader(name, value)
        return new Refusal("Sign in first.", { statusCode: status, data: body && JSON.parse(body) })
      },
    })
    return undefined
  }
}
