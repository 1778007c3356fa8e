/** The routes of the sign-in page. */
import express, { type ErrorRequestHandler, type Request, type Router } from "express"
import { errors, type Interaction, type InteractionResults, type Provider } from "oidc-provider"
import type { OAuthClient } from "../shared/client.ts"
import { errorPage, signInPage } from "./pages.ts"
import type { TenantUser, TenantUserStore } from "./users.ts"

export function createInteractionRoutes(
  provider: Provider,
  client: OAuthClient,
  users: TenantUserStore,
): Router {
  const router = express.Router()
  const form = express.urlencoded({ extended: false, limit: "4kb" })

  router.get("/:uid", async (req, res) => {
    const { uid } = await provider.interactionDetails(req, res)
    res.send(signInPage(client, users, uid, false).text)
  })

  router.post("/:uid", form, async (req, res) => {
    const interaction = await provider.interactionDetails(req, res)
    const user = findChosenUser(req, users)
    if (!user) {
      res.status(422).send(signInPage(client, users, interaction.uid, true).text)
      return
    }
    const result = await createInteractionResult(provider, interaction, user)
    await provider.interactionFinished(req, res, result)
  })

  router.post("/:uid/cancel", async (req, res) => {
    const result = { error: "access_denied", error_description: "The user cancelled." }
    await provider.interactionFinished(req, res, result)
  })

  router.use(handleExpiredInteraction(client))
  return router
}

function findChosenUser({ body }: Request, users: TenantUserStore): TenantUser | undefined {
  const { person: user, name }: Record<string, unknown> = body ?? {}
  return typeof user === "string" ? users.find(user) : users.findOrCreateByName(name)
}

/** Returns the sign-in together with the consent: the page lists what the application receives. */
async function createInteractionResult(
  provider: Provider,
  { params }: Interaction,
  { sub }: TenantUser,
): Promise<InteractionResults> {
  const grant = new provider.Grant({ accountId: sub, clientId: String(params["client_id"]) })
  grant.addOIDCScope(String(params["scope"]))
  return { login: { accountId: sub }, consent: { grantId: await grant.save() } }
}

/** Explains that the sign-in of a page has ended. */
function handleExpiredInteraction(client: OAuthClient): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (!(error instanceof errors.SessionNotFound)) return next(error)
    res.status(400).send(errorPage(client, error.error, error.error_description).text)
  }
}
