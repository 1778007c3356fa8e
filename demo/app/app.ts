/** The application: an Express server with Latchkey mounted at `/auth`. */
import { createAuth } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { MiddlewareAuth } from "@latchkey/express"
import express, { type ErrorRequestHandler, type Express } from "express"
import type { ServerAddresses } from "../addresses.ts"
import { galleryRoutes } from "../gallery/gallery.ts"
import { requireCanonicalHost } from "../shared/canonical-host.ts"
import { securityHeaders } from "../shared/security-headers.ts"
import type { ActivityLog } from "./activity-log.ts"
import { type AppContext, sendPage } from "./app-context.ts"
import { createCurrentUserFinder } from "./current-user.ts"
import { errorPage, notFoundPage, unavailablePage } from "./pages/message.ts"
import { accountRoutes } from "./routes/account.ts"
import { connectedAccountsRoutes } from "./routes/connected-accounts.ts"
import { joinRoutes } from "./routes/join.ts"
import { journalRoutes } from "./routes/journal.ts"
import { passkeyRoutes } from "./routes/passkeys.ts"
import { publicPageRoutes } from "./routes/public-pages.ts"
import { secondFactorRoutes } from "./routes/second-factor.ts"
import { sessionsRoutes } from "./routes/sessions.ts"
import { staticFileRoutes } from "./routes/static-files.ts"
import { createSameOriginForms } from "./same-origin-forms.ts"

export type AppDependencies = Omit<
  AppContext,
  "auth" | "findCurrentUser" | "origin" | "sameOriginForms"
> & {
  readonly addresses: ServerAddresses
  readonly logActivity: ActivityLog
}

export function createApp({ config, addresses, logActivity, ...parts }: AppDependencies): Express {
  const { origin } = addresses.app
  const context: AppContext = {
    ...parts,
    config,
    origin,
    auth: createAuth(config),
    findCurrentUser: createCurrentUserFinder(config),
    sameOriginForms: createSameOriginForms(origin),
  }
  const app = express()
  app.disable("x-powered-by")
  app.use(requireCanonicalHost(origin))
  app.use("/auth", MiddlewareAuth(config))
  app.use(securityHeaders([addresses.tenant.origin, addresses.social.origin], true))
  app.use(staticFileRoutes())
  app.use(galleryRoutes(context))
  app.use(
    publicPageRoutes(context),
    journalRoutes(context),
    accountRoutes(context),
    connectedAccountsRoutes(context),
    passkeyRoutes(context),
    sessionsRoutes(context),
    secondFactorRoutes(context),
    joinRoutes(context),
  )
  app.use(async (req, res) => {
    const currentUser = await context.findCurrentUser(req, res)
    res.status(404)
    sendPage(res, context, currentUser, notFoundPage)
  })
  app.use(createErrorHandler(context, logActivity))
  return app
}

/** Tells users when their session could not be checked, because they are not signed out. */
function createErrorHandler(context: AppContext, logActivity: ActivityLog): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (res.headersSent) return next(error)
    const status = getStatus(error)
    if (status === 500) logActivity(`! ${error}`)
    res.status(status)
    sendPage(res, context, undefined, error instanceof AuthError ? unavailablePage : errorPage)
  }
}

function getStatus(error: unknown): number {
  if (error instanceof AuthError) return 503
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500
  return status >= 400 && status < 500 ? status : 500
}
