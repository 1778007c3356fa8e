/** The social provider: a small OAuth 2 server. */
import { createHash } from "node:crypto"
import { join } from "node:path"
import express, { type Express, type Request, type Response } from "express"
import { serveProviderStyle, serveSvg } from "../shared/assets.ts"
import { requireCanonicalHost } from "../shared/canonical-host.ts"
import type { OAuthClient } from "../shared/client.ts"
import { securityHeaders } from "../shared/security-headers.ts"
import { createRedirectUrl, parseAuthorizationRequest } from "./authorization.ts"
import { avatarImages, plazaLogo } from "./images.ts"
import { consentPage, errorPage, homePage } from "./pages.ts"
import { createTokenStore } from "./tokens.ts"
import { createUserStore, type SocialUser } from "./users.ts"

export function createSocialServer(origin: string, client: OAuthClient): Express {
  const users = createUserStore()
  const tokens = createTokenStore(client)
  const app = express()
  app.disable("x-powered-by")
  app.use(requireCanonicalHost(origin))
  app.use(securityHeaders([client.homeUrl]))
  app.get("/style.css", serveProviderStyle(join(import.meta.dirname, "style.css")))
  app.get(["/mark.svg", "/favicon.ico"], serveSvg(plazaLogo))
  for (const [id, picture] of avatarImages) app.get(`/avatars/${id}`, serveSvg(picture))
  app.get("/", (_req, res) => {
    res.send(homePage(client).text)
  })

  app.get("/authorize", (req, res) => {
    const query = getQuery(req)
    if (parseOrSendError(query, res)) res.send(consentPage(client, users, query, false).text)
  })

  app.post("/authorize", parseFormText, (req, res) => {
    const form = readForm(req)
    const { person: id, name, cancel } = Object.fromEntries(form)
    for (const formField of ["person", "name", "cancel"]) form.delete(formField)
    const request = parseOrSendError(form, res)
    if (!request) return
    const { state } = request
    const user = id === undefined ? users.findOrCreateByName(name) : users.find(id)
    if (cancel !== undefined) {
      res.redirect(303, createRedirectUrl(client, { error: "access_denied", state }))
    } else if (user) {
      res.redirect(303, createRedirectUrl(client, { code: tokens.issueCode(request, user), state }))
    } else {
      res.status(422).send(consentPage(client, users, form, true).text)
    }
  })

  app.post("/token", parseFormText, (req, res) => {
    const { status, body } = tokens.exchange(req.get("authorization"), readForm(req))
    res.status(status).json(body)
  })

  app.get("/info", (req, res) => {
    const user = tokens.findUser(req.get("authorization"))
    if (user) res.json(createProfile(user, client))
    else res.status(401).set("WWW-Authenticate", "Bearer").json({ error: "invalid_token" })
  })

  /** Returns the request, or sends an error and returns undefined. */
  function parseOrSendError(query: URLSearchParams, res: Response) {
    const request = parseAuthorizationRequest(query, client)
    if (!("error" in request)) return request
    const { error, description, isRedirectable } = request
    if (isRedirectable) {
      const state = query.get("state") ?? ""
      res.redirect(303, createRedirectUrl(client, { error, error_description: description, state }))
    } else {
      res.status(400).send(errorPage(client, description).text)
    }
    return undefined
  }

  return app
}

const parseFormText = express.text({ type: "application/x-www-form-urlencoded", limit: "16kb" })

function readForm({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === "string" ? body : "")
}

function getQuery({ url }: Request): URLSearchParams {
  return new URL(url, "http://localhost").searchParams
}

/** Returns the profile for a client. */
function createProfile(user: SocialUser, { id }: OAuthClient) {
  const psuid = createHash("sha256").update(`${id}.${user.id}`).digest("base64url").slice(0, 24)
  return { ...user, client_id: id, psuid }
}
