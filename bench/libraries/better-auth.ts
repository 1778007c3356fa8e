import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import { genericOAuth } from "better-auth/plugins"
import express from "express"
import { createCookieHeader, createHandlerSender, type HttpRequest } from "../http.ts"
import { providerClient } from "../provider.ts"
import { password, secret, testUser } from "../test-user.ts"
import type { Library, OAuthSteps, SessionStorage, Site } from "./library.ts"
import { createCallbackRequest, createSessionCookies } from "./sign-in.ts"

export const betterAuthLibrary: Library = {
  packages: ["better-auth"],
  hasStoredSessions: true,
  openSite,
}

const week = 604_800

/** Its options for both kinds of storage. Limits, telemetry and logging are off, because they take time. */
function createOptions(
  storage: SessionStorage,
  origin: string,
  database: DatabaseSync | undefined,
) {
  return {
    secret,
    baseURL: origin,
    basePath: "/auth",
    ...(database ? { database } : {}),
    session: {
      expiresIn: week,
      cookieCache:
        storage === "sealed"
          ? { enabled: true, strategy: "jwe" as const, maxAge: week, refreshCache: true }
          : { enabled: false },
    },
    emailAndPassword: {
      enabled: true,
      password: {
        hash: async (password: string) => password,
        verify: async (input: { hash: string; password: string }) => input.hash === input.password,
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: "id",
            discoveryUrl: providerClient.discovery,
            clientId: providerClient.id,
            clientSecret: providerClient.secret,
            scopes: ["openid", "profile", "email"],
            pkce: true,
          },
        ],
      }),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  }
}

async function openSite(storage: SessionStorage, origin: string, folder: string): Promise<Site> {
  const database = storage === "stored" ? openDatabase(folder) : undefined
  const options = createOptions(storage, origin, database)
  if (database) await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  const send = createHandlerSender(origin, (request) => auth.handler(request))
  const cookie = createCookieHeader(await send(await createCallbackRequest(oauthSteps, send)))
  // Signs up with the provider first, because it does not link an account to a password with an unverified address.
  await auth.api.setPassword({
    body: { newPassword: password },
    headers: new Headers({ cookie }),
  })
  return {
    send,
    listener: createExpressApp(auth),
    createSessionCookies: (count) => createSessionCookies(signInRequest, send, count),
    async readUserEmail(cookie) {
      const session = await auth.api.getSession({ headers: new Headers({ cookie }) })
      return session?.user.email
    },
    sessionRequest: { method: "GET", path: "/auth/get-session" },
    pageRequest: { method: "GET", path: "/me" },
    createCredentialsRequest: async () => signInRequest,
    createOAuthSteps: async () => oauthSteps,
  }
}

function openDatabase(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, "better-auth.db"))
  database.exec("pragma journal_mode = wal; pragma synchronous = off")
  return database
}

const signInRequest: HttpRequest = {
  method: "POST",
  path: "/auth/sign-in/email",
  json: { email: testUser.email, password },
}

const oauthSteps: OAuthSteps = {
  startRequest: {
    method: "POST",
    path: "/auth/sign-in/social",
    json: { provider: "id", callbackURL: "/" },
  },
  readAuthorizationUrl: (reply) => JSON.parse(reply.body).url,
}

function createExpressApp(auth: ReturnType<typeof betterAuth<ReturnType<typeof createOptions>>>) {
  const app = express()
  app.all("/auth/{*any}", toNodeHandler(auth))
  app.get("/me", async (req, res) => {
    res.json(await auth.api.getSession({ headers: fromNodeHeaders(req.headers) }))
  })
  return app
}
