/** Requests for a server's own host name only: what Latchkey's `trustHost` promises. */
import type { RequestHandler } from "express"

/**
 * Leads people who came by another name of this machine to the right one, where their cookies are; refuses
 * everything else that was meant for another host.
 */
export function requireCanonicalHost(origin: string): RequestHandler {
  const { host } = new URL(origin)
  return (req, res, next) => {
    if (req.headers.host === host) return next()
    if (req.method !== "GET" && req.method !== "HEAD") {
      res.status(421).type("text").send(`This is ${origin}.`)
      return
    }
    res.redirect(307, new URL(req.originalUrl.replace(/^\/*/, "/"), origin).href)
  }
}
