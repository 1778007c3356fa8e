import type { ServerResponse } from "node:http"
import type { NextRequest } from "next/server.js"
import type { NextAuthConfig } from "../config.ts"
import { type ApiRequest, handleApiRoute } from "./api-route.ts"
import { getNextAuth } from "./options.ts"

/** Responds to the requests to `/api/auth`: as a route handler of the App Router, or as an API route of the Pages Router. */
export interface NextAuthHandler {
  (request: NextRequest, context: unknown): Promise<Response>
  (req: ApiRequest, res: ServerResponse): Promise<void>
}

/**
 * Creates the handler of `app/api/auth/[...nextauth]/route.ts`, or of `pages/api/auth/[...nextauth].ts`. With a request, it
 * responds at once, so that the options can depend on the request. Those that do not should be one object for all requests.
 *
 * @example
 * export default NextAuth(authOptions)
 */
export function NextAuth(options: NextAuthConfig): NextAuthHandler
export function NextAuth(
  request: NextRequest,
  context: unknown,
  options: NextAuthConfig,
): Promise<Response>
export function NextAuth(
  req: ApiRequest,
  res: ServerResponse,
  options: NextAuthConfig,
): Promise<void>
export function NextAuth(...input: unknown[]): unknown {
  if (input.length === 1) {
    const options = input[0] as NextAuthConfig
    // Created now, so that problems of the options are reported when the server starts.
    getNextAuth(options)
    return (...request: [unknown, unknown]) => respond(options, ...request)
  }
  const [request, second, options] = input
  return respond(options as NextAuthConfig, request, second)
}

/** Only the Pages Router passes a response. */
function respond(options: NextAuthConfig, request: unknown, second: unknown): Promise<unknown> {
  const nextAuth = getNextAuth(options)
  const isApiRoute = typeof Object(second).setHeader === "function"
  if (isApiRoute) return handleApiRoute(nextAuth, request as ApiRequest, second as ServerResponse)
  // The action follows from the method of the request.
  return nextAuth.handlers.POST(request as NextRequest)
}
