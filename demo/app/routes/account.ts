/** The routes of the account page. */
import { type Request as ExpressRequest, type Response, Router } from "express"
import { type AppContext, getCookieHeaders, sendPage } from "../app-context.ts"
import { membersOnly } from "../current-user.ts"
import { accountPage } from "../pages/account.ts"

export function accountRoutes(context: AppContext): Router {
  const { findCurrentUser, getUser, listLinkedAccounts, members, sameOriginForms, passkeys } =
    context
  const router = Router()

  router.get(
    "/account",
    membersOnly(findCurrentUser, async (currentUser, req, res) => {
      const user = await getUser(currentUser.id)
      const accounts = listLinkedAccounts(currentUser.id)
      const requestedProvider = req.query["linked"]
      const userPasskeys = passkeys.listByUser(currentUser.id)
      const page = accountPage({
        currentUser,
        linkedAccounts: accounts,
        passkeys: userPasskeys,
        hasOtherSignInMethod: await hasOtherSignInMethod(currentUser.id),
        username: members.getUsername(currentUser.id),
        emailVerified: user?.emailVerified ?? null,
        csrfToken: await fetchCsrfToken(context, req, res),
        newlyLinked: accounts.find(({ provider }) => provider === requestedProvider)?.provider,
      })
      sendPage(res, context, currentUser, page)
    }),
  )

  router.post(
    "/account/passkeys/:passkey/remove",
    sameOriginForms,
    membersOnly(findCurrentUser, async ({ id }, req, res) => {
      const canRemove = passkeys.listByUser(id).length > 1 || (await hasOtherSignInMethod(id))
      if (canRemove) await passkeys.remove(id, String(req.params["passkey"]))
      res.redirect(303, "/account")
    }),
  )

  /** Whether a user can sign in without a passkey. */
  async function hasOtherSignInMethod(id: string): Promise<boolean> {
    const others = listLinkedAccounts(id).filter(({ provider }) => provider !== "passkey")
    if (others.length > 0 || members.getUsername(id) !== undefined) return true
    return Boolean((await getUser(id))?.email)
  }

  return router
}

/** Returns the token for forms that post to Latchkey. Sets its cookie if the browser has none. */
async function fetchCsrfToken(
  { auth, origin }: AppContext,
  req: ExpressRequest,
  res: Response,
): Promise<string> {
  const url = `${origin}${auth.basePath}/csrf`
  const response = await auth.handle(new Request(url, { headers: getCookieHeaders(req) }))
  for (const cookie of response.headers.getSetCookie()) res.append("Set-Cookie", cookie)
  // The format of this endpoint.
  const body = (await response.json()) as { csrfToken: string }
  return body.csrfToken
}
