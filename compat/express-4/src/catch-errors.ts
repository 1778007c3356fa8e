import type { RequestHandler } from "express"

/** Hands what an async handler throws to the error handler. Express 5 does so by itself; in Express 4 it ends the process. */
export function catchErrors(handler: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    try {
      await handler(req, res, next)
    } catch (error) {
      next(error)
    }
  }
}
