/** Latchkey in this application: its routes, and who is there. */
import { getSession, type InferSession, MiddlewareAuth } from "@latchkey/express"
import type { RequestHandler, Response } from "express"
import { config } from "./auth.config.ts"
import { catchErrors } from "./catch-errors.ts"

export type AppSession = InferSession<typeof config>

/** To be mounted at /auth. */
export const authRoutes = MiddlewareAuth(config)

/** Tells every page who is there, as `res.locals.session`. */
export const loadSession: RequestHandler = catchErrors(async (req, res, next) => {
  res.set("Cache-Control", "private, no-store")
  res.locals["session"] = await getSession(req, config)
  next()
})

/** Who is there; null for nobody. */
export function getCurrentSession(res: Response): AppSession | null {
  return res.locals["session"] ?? null
}

/** Sends strangers to the sign-in page, which leads back here. */
export const membersOnly: RequestHandler = (req, res, next) => {
  if (getCurrentSession(res)) return next()
  res.redirect(303, `/signin?callbackUrl=${encodeURIComponent(req.originalUrl)}`)
}
