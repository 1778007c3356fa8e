/** The page with the accounts and passkeys of a user, and its form. */
import { LastAccount, SessionNotFresh } from "@latchkey/core/errors"
import { type Request, Router } from "express"
import type { Markup } from "../../shared/html.ts"
import { type AppContext, sendPage } from "../app-context.ts"
import { fetchCsrfToken } from "../csrf-token.ts"
import { type CurrentUser, createSignInUrl, membersOnly } from "../current-user.ts"
import {
  connectedAccountsPage,
  connectedAccountsPath,
  freshSessionNotice,
  lastAccountNotice,
  linkedNotice,
} from "../pages/connected-accounts.ts"
import { getFormFields } from "../same-origin-forms.ts"

export function connectedAccountsRoutes(context: AppContext): Router {
  const { auth, findCurrentUser, getUser, members, sameOriginForms } = context
  const router = Router()

  router.get(
    connectedAccountsPath,
    membersOnly(findCurrentUser, async (currentUser, req, res) => {
      const { id } = currentUser
      const accounts = await auth.accounts.list(id)
      const page = connectedAccountsPage({
        currentUser,
        accounts,
        passkeys: await auth.passkeys.list(id),
        username: members.getUsername(id),
        emailVerified: (await getUser(id))?.emailVerified ?? null,
        csrfToken: await fetchCsrfToken(context, req, res),
        notice: findNotice(
          req,
          accounts.map(({ provider }) => provider),
        ),
      })
      sendPage(res, context, currentUser, page)
    }),
  )

  router.post(
    `${connectedAccountsPath}/unlink`,
    sameOriginForms,
    membersOnly(findCurrentUser, async (currentUser, req, res) => {
      res.redirect(303, await unlink(currentUser, getFormFields(req)))
    }),
  )

  /** Unlinks an account, and returns the URL of the page that comes next. */
  async function unlink(
    { id, session }: CurrentUser,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    try {
      await auth.accounts.unlink({
        userId: id,
        provider: String(fields["provider"]),
        providerAccountId: String(fields["providerAccountId"]),
        session,
        hasCredentials: members.getUsername(id) !== undefined,
      })
      return connectedAccountsPath
    } catch (error) {
      if (error instanceof LastAccount) return `${connectedAccountsPath}?last`
      if (!(error instanceof SessionNotFresh)) throw error
      return `${createSignInUrl(`${connectedAccountsPath}?fresh`)}&prompt=login`
    }
  }

  return router
}

function findNotice({ query }: Request, linkedProviders: readonly string[]): Markup | undefined {
  if (query["last"] !== undefined) return lastAccountNotice
  if (query["fresh"] !== undefined) return freshSessionNotice
  const provider = linkedProviders.find((provider) => provider === query["linked"])
  return provider === undefined ? undefined : linkedNotice(provider)
}
