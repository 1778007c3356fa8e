/** Headers for pages that load nothing from elsewhere. */
import type { RequestHandler } from "express"

/**
 * Sets them on every answer.
 *
 * @param destinations origins that a form may lead to by way of redirects, besides the own one
 * @param scripts whether pages may have scripts of their own origin
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
