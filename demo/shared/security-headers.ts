/** Headers for pages that load nothing from other sites. */
import type { RequestHandler } from "express"

/**
 * Sets the headers on every response.
 *
 * @param destinations other origins that forms may redirect to
 * @param scripts whether pages have scripts of their own origin
 */
export function securityHeaders(destinations: readonly string[], scripts = false): RequestHandler {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${["'self'", ...destinations].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  return (_req, res, next) => {
    res.set({
      "Content-Security-Policy": policy,
      "Cache-Control": "private, no-store",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    })
    next()
  }
}
