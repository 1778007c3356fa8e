/** The form for a new account: creates a user with a password, and signs them in. */
import { serializeCookie } from "@latchkey/core"
import { type Request as ExpressRequest, type Response, Router } from "express"
import { cookiesOf, type Kit, sendPage } from "../kit.ts"
import { createLimit } from "../limits.ts"
import { type Application, applicationOf, type Problems } from "../members.ts"
import { fieldsOf } from "../own-forms.ts"
import { joinPage } from "../pages/join.ts"

export function joinRoutes(kit: Kit): Router {
  const { findVisitor, members, ownForms } = kit
  const router = Router()
  const limit = createLimit(20, 60)

  router.get("/join", async (req, res) => {
    const visitor = await findVisitor(req, res)
    if (visitor) res.redirect(303, "/account")
    else sendPage(res, kit, undefined, joinPage())
  })

  router.post("/join", ownForms, async (req: ExpressRequest, res: Response) => {
    const application = applicationOf(fieldsOf(req))
    const again = (problems: Problems) => {
      res.status(422)
      sendPage(res, kit, undefined, joinPage(application, problems))
    }
    if (!limit("join")) return again({ name: "Too many at once. Please wait a minute." })
    const problems = await members.join(application)
    if (problems) return again(problems)
    await signIn(kit, application, req, res)
  })

  return router
}

/** The form is our own page's: the engine need not be shown a token. */
async function signIn(
  { auth, origin }: Kit,
  { username, password }: Application,
  req: ExpressRequest,
  res: Response,
): Promise<void> {
  const { redirect, cookies } = await auth.signIn({
    provider: "credentials",
    options: { username, password, redirectTo: "/journal" },
    headers: cookiesOf(req),
    url: `${origin}${req.originalUrl}`,
  })
  for (const cookie of cookies) res.append("Set-Cookie", serializeCookie(cookie))
  res.redirect(303, redirect)
}
