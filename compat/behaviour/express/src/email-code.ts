/** Sends an e-mail, and signs in with its code. */
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { Verification } from "@latchkey/core/errors"
import { signIn } from "@latchkey/express"
import express, { Router } from "express"
import { config } from "./auth.config.ts"
import { html } from "./html.ts"
import { renderPage } from "./pages.ts"

export const codeRoutes: Router = Router()

codeRoutes.get("/probe/code", (_req, res) => {
  res.send(codePage())
})

codeRoutes.post("/probe/code", express.urlencoded({ extended: false }), async (req, res, next) => {
  const { providerId, ...fields } = req.body
  try {
    res.redirect(303, await signIn(req, config, providerId, { fields }))
  } catch (error) {
    if (!(error instanceof Verification)) return next(error)
    res.status(400).send(codePage(error))
  }
})

// The client without a bundler.
const clientFolder = dirname(fileURLToPath(import.meta.resolve("@latchkey/client")))
codeRoutes.use("/probe/latchkey", express.static(clientFolder))

function codePage(error?: Verification): string {
  const content = html`${
    error &&
    html`<p role="alert">${error.codeProblem}, ${String(error.attemptsLeft)} attempts left</p>`
  }
      <form method="post" action="/probe/code">
        <input type="hidden" name="providerId" value="nodemailer">
        <input type="hidden" name="redirectTo" value="/probe/session">
        <label>E-mail <input id="email" name="email" type="email" required></label>
        <button>Send</button>
      </form>
      <form method="post" action="/probe/code">
        <input type="hidden" name="providerId" value="nodemailer">
        <label>Code <input id="code" name="code" autocomplete="one-time-code" required></label>
        <button>Sign in</button>
      </form>
      <button id="send">Send by script</button>
      <button id="submit">Sign in by script</button>
      <output></output>
      <script type="module">
        import { signIn, submitEmailCode } from "/probe/latchkey/index.js"
        const find = (selector) => document.querySelector(selector)
        const tell = (result) => { find("output").textContent = JSON.stringify(result) }
        let sent
        find("#send").addEventListener("click", async () => {
          const options = { email: find("#email").value, redirectTo: "/probe/session", redirect: false }
          tell((sent = await signIn("nodemailer", options)))
        })
        find("#submit").addEventListener("click", async () => {
          tell(await submitEmailCode(sent, find("#code").value))
        })
      </script>`
  return renderPage(null, "Check your e-mail", content)
}
