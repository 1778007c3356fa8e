import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import { genericOAuth } from "better-auth/plugins"
import express from "express"
import { type Ask, cookieHeader, sendToHandler } from "../exchange.ts"
import { password, person, secret } from "../person.ts"
import { client } from "../provider.ts"
import type { Kind, Library, OAuthSteps, Site } from "./library.ts"
import { comeback, cookiesOf } from "./sign-in.ts"

export const better: Library = {
  name: "Better Auth",
  packages: ["better-auth"],
  open,
}

const week = 604_800

/** Its options for both kinds. Whatever costs time for reasons of its own is off: limits, telemetry, logging. */
function optionsOf(kind: Kind, origin: string, database: DatabaseSync | undefined) {
  return {
    secret,
    baseURL: origin,
    basePath: "/auth",
    ...(database ? { database } : {}),
    session: {
      expiresIn: week,
      cookieCache:
        kind === "sealed"
          ? { enabled: true, strategy: "jwe" as const, maxAge: week, refreshCache: true }
          : { enabled: false },
    },
    emailAndPassword: {
      enabled: true,
      password: {
        hash: async (typed: string) => typed,
        verify: async (typed: { hash: string; password: string }) => typed.hash === typed.password,
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: "id",
            discoveryUrl: client.discovery,
            clientId: client.id,
            clientSecret: client.secret,
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

async function open(kind: Kind, origin: string, folder: string): Promise<Site> {
  const database = kind === "stored" ? openDatabase(folder) : undefined
  const options = optionsOf(kind, origin, database)
  if (database) await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  const send = sendToHandler(origin, (request) => auth.handler(request))
  const cookie = cookieHeader(await send(await comeback(oauth, send)))
  // Signed up by the provider first: it does not join an account to a password that nobody confirmed.
  await auth.api.setPassword({
    body: { newPassword: password },
    headers: new Headers({ cookie }),
  })
  return {
    send,
    listener: expressApp(auth),
    cookies: (count) => cookiesOf(signIn, send, count),
    async whoIs(cookie) {
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      return found?.user.email
    },
    session: { method: "GET", path: "/auth/get-session" },
    page: { method: "GET", path: "/me" },
    credentials: async () => signIn,
    oauth: async () => oauth,
  }
}

function openDatabase(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, "better-auth.db"))
  database.exec("pragma journal_mode = wal; pragma synchronous = off")
  return database
}

const signIn: Ask = {
  method: "POST",
  path: "/auth/sign-in/email",
  json: { email: person.email, password },
}

const oauth: OAuthSteps = {
  begin: {
    method: "POST",
    path: "/auth/sign-in/social",
    json: { provider: "id", callbackURL: "/" },
  },
  urlOf: (reply) => JSON.parse(reply.body).url,
}

function expressApp(auth: ReturnType<typeof betterAuth<ReturnType<typeof optionsOf>>>) {
  const app = express()
  app.all("/auth/{*any}", toNodeHandler(auth))
  app.get("/me", async (req, res) => {
    res.json(await auth.api.getSession({ headers: fromNodeHeaders(req.headers) }))
  })
  return app
}
