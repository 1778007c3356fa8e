/** Latchkey in this application: its routes and the session. */
import { getSession, type InferSession, MiddlewareAuth } from "@latchkey/express"
import type { RequestHandler, Response } from "express"
import { config } from "./auth.config.ts"

export type AppSession = InferSession<typeof config>

/** Mount these at /auth. */
export const authRoutes = MiddlewareAuth(config)

/** Stores the session in `res.locals.session` for every page. */
export const loadSession: RequestHandler = async (req, res, next) => {
  res.set("Cache-Control", "private, no-store")
  res.locals["session"] = await getSession(req, config)
  next()
}

/** Returns the session, or null for visitors who are signed out. */
export function getCurrentSession(res: Response): AppSession | null {
  return res.locals["session"] ?? null
}

/** Redirects visitors who are signed out to the sign-in page, which leads back here. */
export const membersOnly: RequestHandler = (req, res, next) => {
  if (getCurrentSession(res)) return next()
  res.redirect(303, `/signin?callbackUrl=${encodeURIComponent(req.originalUrl)}`)
}
