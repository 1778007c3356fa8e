/** The tenant provider: `oidc-provider`, with a sign-in page of its own. */
import { join } from "node:path"
import express, { type Express } from "express"
import { Provider } from "oidc-provider"
import type { DataFolder } from "../data-folder.ts"
import { drawing, styleSheet } from "../shared/assets.ts"
import type { Client } from "../shared/client.ts"
import { safeHeaders } from "../shared/headers.ts"
import { ownHost } from "../shared/own-host.ts"
import { configuration } from "./configuration.ts"
import { interactions } from "./interactions.ts"
import { tenantKeys } from "./keys.ts"
import { alderMark } from "./mark.ts"
import { frontPage } from "./pages.ts"
import { createPeople } from "./people.ts"

/** Creates the server. */
export function createTenant(issuer: string, client: Client, data: DataFolder): Express {
  const people = createPeople()
  const provider = new Provider(issuer, configuration(client, people, tenantKeys(data)))
  const app = express()
  app.disable("x-powered-by")
  app.use(ownHost(issuer))
  app.use(safeHeaders([client.home]))
  app.get("/style.css", styleSheet(join(import.meta.dirname, "style.css")))
  app.get(["/mark.svg", "/favicon.ico"], drawing(alderMark))
  app.get("/", (_req, res) => {
    res.send(frontPage(client).text)
  })
  app.use("/interaction", interactions(provider, client, people))
  app.use(provider.callback())
  return app
}
