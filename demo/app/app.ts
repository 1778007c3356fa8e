/** The application: an Express server with Latchkey mounted on `/auth`. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { MiddlewareAuth } from "@latchkey/express"
import express, { type ErrorRequestHandler, type Express } from "express"
import type { Places } from "../places.ts"
import { safeHeaders } from "../shared/headers.ts"
import { ownHost } from "../shared/own-host.ts"
import type { Chronicle } from "./chronicle.ts"
import { type Kit, sendPage } from "./kit.ts"
import { ownForms } from "./own-forms.ts"
import { brokenPage, notFoundPage, unavailablePage } from "./pages/message.ts"
import { accountRoutes } from "./routes/account.ts"
import { frontRoutes } from "./routes/front.ts"
import { joinRoutes } from "./routes/join.ts"
import { journalRoutes } from "./routes/journal.ts"
import { pictureRoutes } from "./routes/pictures.ts"
import { createFindVisitor } from "./visitor.ts"

/** What the application is made from. */
export type AppParts = Omit<Kit, "auth" | "findVisitor" | "origin" | "ownForms"> & {
  readonly config: AuthConfig
  readonly places: Places
  readonly chronicle: Chronicle
}

/** Creates the server. */
export function createApp({ config, places, chronicle, ...parts }: AppParts): Express {
  const { origin } = places.app
  const kit: Kit = {
    ...parts,
    origin,
    auth: createAuth(config),
    findVisitor: createFindVisitor(config),
    ownForms: ownForms(origin),
  }
  const app = express()
  app.disable("x-powered-by")
  app.use(ownHost(origin))
  app.use("/auth", MiddlewareAuth(config))
  app.use(safeHeaders([places.tenant.origin, places.social.origin], true))
  app.use(pictureRoutes())
  app.use(frontRoutes(kit), journalRoutes(kit), accountRoutes(kit), joinRoutes(kit))
  app.use(async (req, res) => {
    const visitor = await kit.findVisitor(req, res)
    res.status(404)
    sendPage(res, kit, visitor, notFoundPage)
  })
  app.use(failed(kit, chronicle))
  return app
}

/** A fault is not a sign-out: who could not be recognised is told so. */
function failed(kit: Kit, chronicle: Chronicle): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (res.headersSent) return next(error)
    const status = statusOf(error)
    if (status === 500) chronicle(`! ${error}`)
    res.status(status)
    sendPage(res, kit, undefined, error instanceof AuthError ? unavailablePage : brokenPage)
  }
}

function statusOf(error: unknown): number {
  if (error instanceof AuthError) return 503
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500
  return status >= 400 && status < 500 ? status : 500
}
