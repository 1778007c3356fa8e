/** Accepts requests for the server's own host name only, which `trustHost` requires. */
import type { RequestHandler } from "express"

/**
 * Redirects GET requests for other host names of this machine to the right one, which has the cookies. Rejects all other
 * requests for another host.
 */
export function requireCanonicalHost(origin: string): RequestHandler {
  const { host } = new URL(origin)
  return (req, res, next) => {
    if (req.headers.host === host) return next()
    if (req.method !== "GET" && req.method !== "HEAD") {
      res.status(421).type("text").send(`This server is ${origin}.`)
      return
    }
    res.redirect(307, new URL(req.originalUrl.replace(/^\/*/, "/"), origin).href)
  }
}
