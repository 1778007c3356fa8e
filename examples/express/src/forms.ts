/** The actions of the forms. Latchkey rejects forms that other sites send. */
import { CredentialsSignin, signIn, signOut, updateSession } from "@latchkey/express"
import express, { Router } from "express"
import { config } from "./auth.config.ts"
import { getCurrentSession, membersOnly } from "./auth.ts"
import { signInPage } from "./pages.ts"

export const formRoutes: Router = Router()
const parseForm = express.urlencoded({ extended: false, limit: "16kb" })

formRoutes.post("/signin", parseForm, async (req, res) => {
  const { providerId, ...fields } = req.body ?? {}
  try {
    res.redirect(303, await signIn(req, config, providerId, { fields }))
  } catch (error) {
    if (!(error instanceof CredentialsSignin)) throw error
    const { email, redirectTo } = fields
    const problem = "That e-mail address and password do not match."
    res.status(400).send(signInPage(getCurrentSession(res), { redirectTo, problem, email }))
  }
})

formRoutes.post("/signout", async (req, res) => {
  res.redirect(303, await signOut(req, config, { redirectTo: "/" }))
})

formRoutes.post("/account", membersOnly, parseForm, async (req, res) => {
  await updateSession(req, config, { name: req.body?.name })
  res.redirect(303, "/account")
})
