/** The account page. */
import { type Request as ExpressRequest, type Response, Router } from "express"
import { cookiesOf, type Kit, sendPage } from "../kit.ts"
import { accountPage } from "../pages/account.ts"
import { membersOnly } from "../visitor.ts"

export function accountRoutes(kit: Kit): Router {
  const { findVisitor, getUser, linkedAccounts, members } = kit
  const router = Router()

  router.get(
    "/account",
    membersOnly(findVisitor, async (visitor, req, res) => {
      const user = await getUser(visitor.id)
      const linked = linkedAccounts(visitor.id)
      const asked = req.query["linked"]
      const page = accountPage({
        visitor,
        linked,
        username: members.usernameOf(visitor.id),
        emailVerified: user?.emailVerified ?? null,
        csrfToken: await csrfToken(kit, req, res),
        justLinked: linked.find(({ provider }) => provider === asked)?.provider,
      })
      sendPage(res, kit, visitor, page)
    }),
  )

  return router
}

/** The token for forms that post to Latchkey, and its cookie when the browser has none. */
async function csrfToken(
  { auth, origin }: Kit,
  req: ExpressRequest,
  res: Response,
): Promise<string> {
  const url = `${origin}${auth.basePath}/csrf`
  const answer = await auth.handle(new Request(url, { headers: cookiesOf(req) }))
  for (const cookie of answer.headers.getSetCookie()) res.append("Set-Cookie", cookie)
  // The endpoint answers so.
  const body = (await answer.json()) as { csrfToken: string }
  return body.csrfToken
}
