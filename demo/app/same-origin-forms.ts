/** Protects the forms of the application against requests of other sites. */
import express, { type Request, type RequestHandler } from "express"

/** Accepts forms of our own pages only, and parses them. */
export function createSameOriginForms(origin: string): RequestHandler[] {
  const guard: RequestHandler = (req, res, next) => {
    if (isSameOrigin(req, origin)) return next()
    res.status(403).type("text").send("This form was not sent from this site.")
  }
  return [guard, express.urlencoded({ extended: false, limit: "16kb" })]
}

/** Scripts of other sites cannot forge these headers. */
function isSameOrigin(req: Request, origin: string): boolean {
  const site = req.get("sec-fetch-site")
  return site === undefined ? req.get("origin") === origin : site === "same-origin"
}

/** Returns the fields of a form. */
export function getFormFields({ body }: Request): Readonly<Record<string, unknown>> {
  const fields: unknown = body
  return typeof fields === "object" && fields !== null ? { ...fields } : {}
}
