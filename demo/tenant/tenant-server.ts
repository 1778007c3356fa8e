/** The tenant provider: `oidc-provider` with its own sign-in page. */
import { join } from "node:path"
import express, { type Express } from "express"
import { Provider } from "oidc-provider"
import type { DataFolder } from "../data-folder.ts"
import { serveProviderStyle, serveSvg } from "../shared/assets.ts"
import { requireCanonicalHost } from "../shared/canonical-host.ts"
import type { OAuthClient } from "../shared/client.ts"
import { securityHeaders } from "../shared/security-headers.ts"
import { createConfiguration } from "./configuration.ts"
import { createInteractionRoutes } from "./interactions.ts"
import { loadTenantKeys } from "./keys.ts"
import { alderLogo } from "./logo.ts"
import { homePage } from "./pages.ts"
import { createUserStore } from "./users.ts"

export function createTenantServer(issuer: string, client: OAuthClient, data: DataFolder): Express {
  const users = createUserStore()
  const provider = new Provider(issuer, createConfiguration(client, users, loadTenantKeys(data)))
  const app = express()
  app.disable("x-powered-by")
  app.use(requireCanonicalHost(issuer))
  app.use(securityHeaders([client.homeUrl]))
  app.get("/style.css", serveProviderStyle(join(import.meta.dirname, "style.css")))
  app.get(["/mark.svg", "/favicon.ico"], serveSvg(alderLogo))
  app.get("/", (_req, res) => {
    res.send(homePage(client).text)
  })
  app.use("/interaction", createInteractionRoutes(provider, client, users))
  app.use(provider.callback())
  return app
}
