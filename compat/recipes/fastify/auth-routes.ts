import type { FastifyPluginAsync } from "fastify"
import { auth, getBrowserUrl, getHeaders } from "./auth.ts"

/** The routes of Latchkey, which parses their bodies itself. */
export const authRoutes: FastifyPluginAsync = async (routes) => {
  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  )

  routes.all<{ Body: Buffer | undefined }>("/auth/*", (request) => {
    const { method, ip } = request
    const url = getBrowserUrl(request)
    const body = request.body ? new Uint8Array(request.body) : null
    const webRequest = new Request(url, { method, headers: getHeaders(request), body })
    return auth.handle(webRequest, { url, clientAddress: ip })
  })
}
