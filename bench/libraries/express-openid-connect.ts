import express from "express"
import { auth } from "express-openid-connect"
import { createCookieHeader } from "../http.ts"
import { createHttpSender } from "../http-client.ts"
import { providerClient } from "../provider.ts"
import { secret } from "../test-user.ts"
import type { Library, OAuthSteps, Site } from "./library.ts"
import { createCallbackRequest } from "./sign-in.ts"

/** Signs in with one provider, and encrypts sessions. It needs Express. */
export const expressOpenidConnectLibrary: Library = {
  packages: ["express-openid-connect"],
  transports: ["http"],
  hasStoredSessions: false,
  openSite: async (_, origin) => createSite(origin),
}

const oauthSteps: OAuthSteps = {
  startRequest: { method: "GET", path: "/login" },
  readAuthorizationUrl: (response) => response.location,
}

function createSite(origin: string): Site {
  const send = createHttpSender(Number(new URL(origin).port))
  return {
    send,
    listener: createExpressApp(origin),
    async createSessionCookies(count) {
      const cookies: string[] = []
      while (cookies.length < count)
        cookies.push(createCookieHeader(await send(await createCallbackRequest(oauthSteps, send))))
      return cookies
    },
    sessionRequest: { method: "GET", path: "/me" },
    pageRequest: { method: "GET", path: "/me" },
    createOAuthSteps: async () => oauthSteps,
  }
}

function createExpressApp(baseURL: string): express.Express {
  const app = express()
  app.use(
    auth({
      baseURL,
      secret,
      issuerBaseURL: providerClient.issuer,
      clientID: providerClient.id,
      clientSecret: providerClient.secret,
      authRequired: false,
      authorizationParams: { response_type: "code", scope: "openid profile email" },
      customFetch: fetch,
    }),
  )
  app.get("/me", (req, res) => {
    res.json(req.oidc.user ?? null)
  })
  return app
}
