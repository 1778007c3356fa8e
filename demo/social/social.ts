/** A small OAuth 2 server with the endpoints and the profile of the social provider. */
import { createHash } from "node:crypto"
import { join } from "node:path"
import express, { type Express, type Request, type Response } from "express"
import { drawing, styleSheet } from "../shared/assets.ts"
import type { Client } from "../shared/client.ts"
import { safeHeaders } from "../shared/headers.ts"
import { ownHost } from "../shared/own-host.ts"
import { answerUrl, readRequest } from "./authorization.ts"
import { allowPage, frontPage, problemPage } from "./pages.ts"
import { createPeople, type Person } from "./people.ts"
import { pictures, plazaMark } from "./pictures.ts"
import { createTokens } from "./tokens.ts"

/** Creates the server. */
export function createSocial(origin: string, client: Client): Express {
  const people = createPeople()
  const tokens = createTokens(client)
  const app = express()
  app.disable("x-powered-by")
  app.use(ownHost(origin))
  app.use(safeHeaders([client.home]))
  app.get("/style.css", styleSheet(join(import.meta.dirname, "style.css")))
  app.get(["/mark.svg", "/favicon.ico"], drawing(plazaMark))
  for (const [id, picture] of pictures) app.get(`/avatars/${id}`, drawing(picture))
  app.get("/", (_req, res) => {
    res.send(frontPage(client).text)
  })

  app.get("/authorize", (req, res) => {
    const query = queryOf(req)
    if (accepted(query, res)) res.send(allowPage(client, people, query, false).text)
  })

  app.post("/authorize", formText, (req, res) => {
    const form = formOf(req)
    const { person: id, name, cancel } = Object.fromEntries(form)
    for (const own of ["person", "name", "cancel"]) form.delete(own)
    const request = accepted(form, res)
    if (!request) return
    const { state } = request
    const person = id === undefined ? people.named(name) : people.find(id)
    if (cancel !== undefined) {
      res.redirect(303, answerUrl(client, { error: "access_denied", state }))
    } else if (person) {
      res.redirect(303, answerUrl(client, { code: tokens.issueCode(request, person), state }))
    } else {
      res.status(422).send(allowPage(client, people, form, true).text)
    }
  })

  app.post("/token", formText, (req, res) => {
    const { status, body } = tokens.exchange(req.get("authorization"), formOf(req))
    res.status(status).json(body)
  })

  app.get("/info", (req, res) => {
    const person = tokens.personOf(req.get("authorization"))
    if (person) res.json(profileOf(person, client))
    else res.status(401).set("WWW-Authenticate", "Bearer").json({ error: "invalid_token" })
  })

  /** The request, or undefined after it was refused. */
  function accepted(query: URLSearchParams, res: Response) {
    const request = readRequest(query, client)
    if (!("error" in request)) return request
    const { error, description, tell } = request
    if (tell) {
      const state = query.get("state") ?? ""
      res.redirect(303, answerUrl(client, { error, error_description: description, state }))
    } else {
      res.status(400).send(problemPage(client, description).text)
    }
    return undefined
  }

  return app
}

const formText = express.text({ type: "application/x-www-form-urlencoded", limit: "16kb" })

function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === "string" ? body : "")
}

function queryOf({ url }: Request): URLSearchParams {
  return new URL(url, "http://localhost").searchParams
}

/** The person as this client sees them. */
function profileOf(person: Person, { id }: Client) {
  const psuid = createHash("sha256").update(`${id}.${person.id}`).digest("base64url").slice(0, 24)
  return { ...person, client_id: id, psuid }
}
