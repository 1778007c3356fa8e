/** The application: its pages, and the routes of Latchkey under /auth. */
import { getSession, MiddlewareAuth, signOut } from "@latchkey/express"
import express from "express"
import { config } from "./auth.ts"

const { HOST = "127.0.0.1", PORT = "3000" } = process.env

const app = express()
app.use(express.static("public"))
app.use("/auth", MiddlewareAuth(config))

/** The guard of all pages under /members: visitors who are signed out sign in first, and return. */
app.use("/members", async (req, res, next) => {
  const session = await getSession(req, config)
  const callbackUrl = encodeURIComponent(req.originalUrl)
  if (!session?.user) return res.redirect(`/auth/signin?callbackUrl=${callbackUrl}`)
  res.locals.user = session.user
  next()
})

app.get("/", async (req, res) => {
  const session = await getSession(req, config)
  const link = `<a href="/members">Members only</a>`
  const content = session
    ? `<p>You are signed in. ${link}</p>${signOutForm}`
    : `<p>You are signed out. ${link}</p>`
  res.set(noCache).send(renderPage("Welcome", content))
})

app.get("/members", (_req, res) => {
  const name = escapeHtml(res.locals.user.name ?? "")
  const content = `<p>Hello ${name}. Only members can read this.</p>${signOutForm}`
  res.set(noCache).send(renderPage("Members only", content))
})

app.post("/signout", async (req, res) => {
  res.redirect(303, await signOut(req, config, { redirectTo: "/" }))
})

app.listen(Number(PORT), HOST, (error) => {
  if (error) throw error
  console.log(`Open http://localhost:${PORT}`)
})

// Pages show who is signed in, so no cache may keep them for others.
const noCache = { "Cache-Control": "private, no-store" }

const signOutForm = `<form method="post" action="/signout"><button>Sign out</button></form>`

function renderPage(title = "", content = "") {
  return `<!doctype html>
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

function escapeHtml(text = "") {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
