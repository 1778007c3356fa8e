import type { RequestHandler } from "express"

/** Passes errors of async handlers to the error handler. Express 5 does so itself; in Express 4 they end the process. */
export function catchErrors(handler: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    try {
      await handler(req, res, next)
    } catch (error) {
      next(error)
    }
  }
}
