/** The forms that rename and remove passkeys. The page of connected accounts shows them. */
import { LastAccount, SessionNotFresh } from "@latchkey/core/errors"
import { Router } from "express"
import type { AppContext } from "../app-context.ts"
import { type CurrentUser, createSignInUrl, membersOnly } from "../current-user.ts"
import { connectedAccountsPath } from "../pages/connected-accounts.ts"
import { passkeysPath } from "../pages/passkeys.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function passkeyRoutes({
  auth,
  findCurrentUser,
  members,
  sameOriginForms,
}: AppContext): Router {
  const router = Router()

  router.post(
    `${passkeysPath}/rename`,
    sameOriginForms,
    membersOnly(findCurrentUser, async ({ id: userId }, req, res) => {
      const { id, name } = getFormFields(req)
      const text = String(name).trim().slice(0, 64)
      if (text) await auth.passkeys.rename({ userId, id: String(id), name: text })
      res.redirect(303, connectedAccountsPath)
    }),
  )

  router.post(
    `${passkeysPath}/remove`,
    sameOriginForms,
    membersOnly(findCurrentUser, async (currentUser, req, res) => {
      res.redirect(303, await remove(currentUser, String(getFormFields(req)["id"])))
    }),
  )

  /** Removes a passkey, and returns the URL of the page that comes next. */
  async function remove({ id: userId, session }: CurrentUser, id: string): Promise<string> {
    try {
      const hasCredentials = members.getUsername(userId) !== undefined
      await auth.passkeys.delete({ userId, id, session, hasCredentials })
      // The script of the page then tells the browser.
      return `${connectedAccountsPath}?removed=passkey`
    } catch (error) {
      if (error instanceof LastAccount) return `${connectedAccountsPath}?last`
      if (!(error instanceof SessionNotFresh)) throw error
      return `${createSignInUrl(`${connectedAccountsPath}?fresh`)}&prompt=login`
    }
  }

  return router
}
