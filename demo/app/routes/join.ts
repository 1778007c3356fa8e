/** The form for a new account, which creates a user with a password and signs them in. */
import { signIn } from "@latchkey/express"
import { type Request as ExpressRequest, type Response, Router } from "express"
import { type AppContext, sendPage } from "../app-context.ts"
import { type FieldErrors, parseJoinForm } from "../members.ts"
import { joinPage } from "../pages/join.ts"
import { createRateLimit } from "../rate-limit.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function joinRoutes(context: AppContext): Router {
  const { config, findCurrentUser, members, sameOriginForms } = context
  const router = Router()
  const rateLimit = createRateLimit(20, 60)

  router.get("/join", async (req, res) => {
    const currentUser = await findCurrentUser(req, res)
    if (currentUser) res.redirect(303, "/account")
    else sendPage(res, context, undefined, joinPage())
  })

  router.post("/join", sameOriginForms, async (req: ExpressRequest, res: Response) => {
    const form = parseJoinForm(getFormFields(req))
    const sendErrors = (errors: FieldErrors) => {
      res.status(422)
      sendPage(res, context, undefined, joinPage(form, errors))
    }
    if (!rateLimit("join")) return sendErrors({ name: "Too many attempts. Please wait a minute." })
    const errors = await members.createMember(form)
    if (errors) return sendErrors(errors)
    const { username, password } = form
    const options = { fields: { username, password }, redirectTo: "/journal" }
    res.redirect(303, await signIn(req, config, "credentials", options))
  })

  return router
}
