/** The application and its pages. */
import { join } from "node:path"
import { AuthError } from "@latchkey/core/errors"
import express, { type ErrorRequestHandler, type Express } from "express"
import { authRoutes, getCurrentSession, loadSession, membersOnly } from "./auth.ts"
import { adapter } from "./database.ts"
import { formRoutes } from "./forms.ts"
import { html } from "./html.ts"
import { accountPage, homePage, membersPage, renderPage, signInPage } from "./pages.ts"
import { securityRoutes } from "./security.ts"
import { sessionRoutes } from "./sessions.ts"

export const app: Express = express()
app.disable("x-powered-by")
app.use(express.static(join(import.meta.dirname, "..", "public")))
app.use("/auth", authRoutes)
app.use(loadSession)

app.get("/", (_req, res) => {
  res.send(homePage(getCurrentSession(res)))
})

app.get("/members", membersOnly, (_req, res) => {
  res.send(membersPage(getCurrentSession(res)))
})

app.get("/account", membersOnly, (_req, res) => {
  res.send(accountPage(getCurrentSession(res)))
})

app.get("/signin", (req, res) => {
  const { callbackUrl, error } = req.query
  const problem = error === undefined ? undefined : "Sign-in failed. Please try again."
  const redirectTo = typeof callbackUrl === "string" ? callbackUrl : "/"
  res.send(signInPage(getCurrentSession(res), { redirectTo, problem }))
})

app.use(formRoutes)
if (adapter) {
  app.use("/account/sessions", sessionRoutes)
  app.use("/account/security", securityRoutes)
}

app.use((_req, res) => {
  const content = html`<p>This page does not exist.</p>`
  res.status(404).send(renderPage(getCurrentSession(res), "Not found", content))
})

const errorHandler: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent || !(error instanceof AuthError)) return next(error)
  const content =
    error.status < 500
      ? html`<p>Your request was refused.</p>`
      : html`<p>Your session could not be checked. Please try again.</p>`
  const page = renderPage(null, "Something went wrong", content)
  res.status(error.status).set(error.headers).send(page)
}
app.use(errorHandler)
