/** The application: its pages, and the routes of Latchkey under /auth. */
import { serve } from "@hono/node-server"
import { serveStatic } from "@hono/node-server/serve-static"
import { type AuthEnv, authMiddleware } from "@latchkey/fetch/hono"
import { Hono } from "hono"
import { html } from "hono/html"
import { auth } from "./auth.ts"

const { HOST = "127.0.0.1", PORT = "3000" } = process.env

// A server in production that could sign nobody in ends here.
auth.checkConfigAtStartup()

const app = new Hono<AuthEnv<typeof auth>>()
app.get("/style.css", serveStatic({ root: "public" }))
app.use(authMiddleware(auth))

app.get("/", async (c) => {
  const session = await c.var.auth.getSession()
  const link = html`<a href="/members">Members only</a>`
  const content = session
    ? html`<p>You are signed in. ${link}</p>${signOutForm}`
    : html`<p>You are signed out. ${link}</p>`
  return c.html(renderPage("Welcome", content), 200, noCache)
})

// Visitors who are signed out sign in first, and return.
app.get("/members", async (c) => {
  const { user } = await c.var.auth.requireSession()
  const content = html`<p>Hello ${user?.name}. Only members can read this.</p>${signOutForm}`
  return c.html(renderPage("Members only", content), 200, noCache)
})

app.post("/signout", (c) => c.var.auth.signOut({ redirectTo: "/" }))

serve({ fetch: app.fetch, hostname: HOST, port: Number(PORT) }, () => {
  console.log(`Open http://localhost:${PORT}`)
})

// Pages show who is signed in, so no cache may keep them for others.
const noCache = { "Cache-Control": "private, no-store" }

const signOutForm = html`<form method="post" action="/signout"><button>Sign out</button></form>`

function renderPage(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`
}
