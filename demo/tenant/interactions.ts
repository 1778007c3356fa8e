/** The sign-in page's part of a sign-in: who is there, and may the application know? */
import express, { type ErrorRequestHandler, type Request, type Router } from "express"
import { errors, type Interaction, type InteractionResults, type Provider } from "oidc-provider"
import type { Client } from "../shared/client.ts"
import { problemPage, signInPage } from "./pages.ts"
import type { People, Person } from "./people.ts"

export function interactions(provider: Provider, client: Client, people: People): Router {
  const router = express.Router()
  const form = express.urlencoded({ extended: false, limit: "4kb" })

  router.get("/:uid", async (req, res) => {
    const { uid } = await provider.interactionDetails(req, res)
    res.send(signInPage(client, people, uid, false).text)
  })

  router.post("/:uid", form, async (req, res) => {
    const interaction = await provider.interactionDetails(req, res)
    const person = chosen(req, people)
    if (!person) {
      res.status(422).send(signInPage(client, people, interaction.uid, true).text)
      return
    }
    const result = await signedIn(provider, interaction, person)
    await provider.interactionFinished(req, res, result)
  })

  router.post("/:uid/cancel", async (req, res) => {
    const result = { error: "access_denied", error_description: "The person went back." }
    await provider.interactionFinished(req, res, result)
  })

  router.use(ended(client))
  return router
}

function chosen({ body }: Request, people: People): Person | undefined {
  const { person, name }: Record<string, unknown> = body ?? {}
  return typeof person === "string" ? people.find(person) : people.named(name)
}

/** The sign-in and the consent in one: the page told what the application will get. */
async function signedIn(
  provider: Provider,
  { params }: Interaction,
  { sub }: Person,
): Promise<InteractionResults> {
  const grant = new provider.Grant({ accountId: sub, clientId: String(params["client_id"]) })
  grant.addOIDCScope(String(params["scope"]))
  return { login: { accountId: sub }, consent: { grantId: await grant.save() } }
}

/** Somebody came back to the page of a sign-in that is over. */
function ended(client: Client): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (!(error instanceof errors.SessionNotFound)) return next(error)
    res.status(400).send(problemPage(client, error.error, error.error_description).text)
  }
}
