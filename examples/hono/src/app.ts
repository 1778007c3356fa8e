/** The application and its pages. */
import { serveStatic } from "@hono/node-server/serve-static"
import { AuthError } from "@latchkey/fetch"
import { authMiddleware } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { html } from "hono/html"
import { type AppEnv, auth } from "./auth.ts"
import { formRoutes } from "./forms.ts"
import { accountPage, homePage, membersPage, renderPage, signInPage } from "./pages.ts"
import { securityRoutes } from "./security.ts"
import { sessionRoutes } from "./sessions.ts"

export const app = new Hono<AppEnv>()
app.get("/style.css", serveStatic({ root: "public" }))
app.use(authMiddleware(auth))

// Pages show who is signed in, so no cache may keep them for others.
app.use(async (c, next) => {
  c.header("Cache-Control", "private, no-store")
  await next()
})

app.get("/", async (c) => c.html(homePage(await c.var.auth.getSession())))

// Visitors who are signed out sign in first, and return.
app.get("/members", async (c) => c.html(membersPage(await c.var.auth.requireSession())))

app.get("/account", async (c) => c.html(accountPage(await c.var.auth.requireSession())))

app.get("/signin", async (c) => {
  const { callbackUrl = "/", error } = c.req.query()
  const problem = error === undefined ? undefined : "Sign-in failed. Please try again."
  const session = await c.var.auth.getSession()
  return c.html(signInPage(session, { redirectTo: callbackUrl, problem }))
})

app.route("/", formRoutes)
app.route("/account/sessions", sessionRoutes)
app.route("/account/security", securityRoutes)

app.notFound(async (c) => {
  const content = html`<p>This page does not exist.</p>`
  return c.html(renderPage(await c.var.auth.getSession(), "Not found", content), 404)
})

app.onError((error, c) => {
  if (!(error instanceof AuthError)) throw error
  const content =
    error.status < 500
      ? html`<p>Your request was refused.</p>`
      : html`<p>Your session could not be checked. Please try again.</p>`
  const page = renderPage(null, "Something went wrong", content)
  return c.html(page, error.status < 500 ? 403 : 503)
})
