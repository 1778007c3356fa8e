/** The application: its pages, and the routes of Latchkey under /auth. */
import { getSession, MiddlewareAuth } from "@latchkey/express"
import express from "express"
import { authConfig } from "./auth.ts"

const { HOST = "127.0.0.1", PORT = "3000" } = process.env

const app = express()
app.use("/auth", MiddlewareAuth(authConfig))

app.get("/", async (req, res) => {
  const session = await getSession(req, authConfig)
  sendPage(
    res,
    "Welcome",
    session
      ? `<p>You are signed in. <a href="/members">Members</a> <a href="/auth/signout">Sign out</a></p>`
      : `<p>You are signed out. <a href="/auth/signin">Sign in</a> <a href="/members">Members</a></p>`,
  )
})

app.get("/members", async (req, res) => {
  const session = await getSession(req, authConfig)
  if (!session) return res.redirect("/auth/signin?callbackUrl=/members")
  sendPage(
    res,
    "Members only",
    `<p>Hello ${escapeHtml(session.user?.name ?? "")}. Only members can read this.</p>
    <p><a href="/">Home</a> <a href="/auth/signout?callbackUrl=/">Sign out</a></p>`,
  )
})

app.listen(Number(PORT), HOST, (error) => {
  if (error) throw error
  console.log(`Open http://localhost:${PORT}`)
})

function sendPage(res: express.Response, title: string, content: string): void {
  // Pages show who is signed in, so no cache may keep them for others.
  res.set("Cache-Control", "private, no-store").send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
