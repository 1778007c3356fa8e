/** The account page. */
import { type Request as ExpressRequest, type Response, Router } from "express"
import { cookiesOf, type Kit, sendPage } from "../kit.ts"
import { accountPage } from "../pages/account.ts"
import { membersOnly } from "../visitor.ts"

export function accountRoutes(kit: Kit): Router {
  const { findVisitor, getUser, linkedAccounts, members, ownForms, passkeys } = kit
  const router = Router()

  router.get(
    "/account",
    membersOnly(findVisitor, async (visitor, req, res) => {
      const user = await getUser(visitor.id)
      const linked = linkedAccounts(visitor.id)
      const asked = req.query["linked"]
      const own = passkeys.of(visitor.id)
      const page = accountPage({
        visitor,
        linked,
        passkeys: own,
        spare: await hasOtherWayIn(visitor.id),
        username: members.usernameOf(visitor.id),
        emailVerified: user?.emailVerified ?? null,
        csrfToken: await csrfToken(kit, req, res),
        justLinked: linked.find(({ provider }) => provider === asked)?.provider,
      })
      sendPage(res, kit, visitor, page)
    }),
  )

  router.post(
    "/account/passkeys/:passkey/remove",
    ownForms,
    membersOnly(findVisitor, async ({ id }, req, res) => {
      const spare = passkeys.of(id).length > 1 || (await hasOtherWayIn(id))
      if (spare) await passkeys.remove(id, String(req.params["passkey"]))
      res.redirect(303, "/account")
    }),
  )

  /** Whether somebody comes in without a passkey, too. */
  async function hasOtherWayIn(id: string): Promise<boolean> {
    const others = linkedAccounts(id).filter(({ provider }) => provider !== "passkey")
    if (others.length > 0 || members.usernameOf(id) !== undefined) return true
    return Boolean((await getUser(id))?.email)
  }

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
