import type { RequestHandler } from "express"

/** Refuses forms that other sites send. */
export const ownForms: RequestHandler = (req, res, next) => {
  const isOwn = req.method !== "POST" || req.get("sec-fetch-site") === "same-origin"
  if (isOwn) next()
  else res.sendStatus(403)
}
