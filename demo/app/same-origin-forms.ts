/** Forms of the application itself: posted by its own pages, and by nobody else's. */
import express, { type Request, type RequestHandler } from "express"

/** Lets a post through that the browser says comes from our own page, and reads its fields. */
export function createSameOriginForms(origin: string): RequestHandler[] {
  const guard: RequestHandler = (req, res, next) => {
    if (isSameOrigin(req, origin)) return next()
    res.status(403).type("text").send("This form was not made by this site.")
  }
  return [guard, express.urlencoded({ extended: false, limit: "16kb" })]
}

/** Scripts of other pages can forge neither of these headers. */
function isSameOrigin(req: Request, origin: string): boolean {
  const site = req.get("sec-fetch-site")
  return site === undefined ? req.get("origin") === origin : site === "same-origin"
}

/** The fields of a form. */
export function getFormFields({ body }: Request): Readonly<Record<string, unknown>> {
  const fields: unknown = body
  return typeof fields === "object" && fields !== null ? { ...fields } : {}
}
