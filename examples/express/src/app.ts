/** The application: its pages. */
import { join } from "node:path"
import { AuthError } from "@latchkey/express"
import express, { type ErrorRequestHandler, type Express } from "express"
import { authRoutes, currentSession, membersOnly, sessionOf } from "./auth.ts"
import { forms } from "./forms.ts"
import { html } from "./html.ts"
import { accountPage, homePage, membersPage, page, signInPage } from "./pages.ts"

export const app: Express = express()
app.disable("x-powered-by")
app.use(express.static(join(import.meta.dirname, "..", "public")))
app.use("/auth", authRoutes)
app.use(currentSession)

app.get("/", (_req, res) => {
  res.send(homePage(sessionOf(res)))
})

app.get("/members", membersOnly, (_req, res) => {
  res.send(membersPage(sessionOf(res)))
})

app.get("/account", membersOnly, (_req, res) => {
  res.send(accountPage(sessionOf(res)))
})

app.get("/signin", (req, res) => {
  const { callbackUrl, error } = req.query
  const problem = error === undefined ? undefined : "Signing in did not work. Please try again."
  const redirectTo = typeof callbackUrl === "string" ? callbackUrl : "/"
  res.send(signInPage(sessionOf(res), { redirectTo, problem }))
})

app.use(forms)

app.use((_req, res) => {
  const content = html`<p>There is no such page.</p>`
  res.status(404).send(page(sessionOf(res), "Not found", content))
})

const problems: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent || !(error instanceof AuthError)) return next(error)
  const isForged = error.type === "MissingCSRF"
  const content = isForged
    ? html`<p>This form was not sent by one of our pages.</p>`
    : html`<p>We cannot check who you are at the moment. Please try again.</p>`
  res.status(isForged ? 403 : 503).send(page(null, "That did not work", content))
}
app.use(problems)
