import { Auth, type AuthConfig } from "@auth/core"
import type { Adapter } from "@auth/core/adapters"
import { encode } from "@auth/core/jwt"
import credentials from "@auth/core/providers/credentials"
import github from "@auth/core/providers/github"
import google from "@auth/core/providers/google"
import type { Session } from "@auth/core/types"
import { ExpressAuth, getSession } from "@auth/express"
import express from "express"
import { createHandlerSender } from "../http.ts"
import { secret, testUser } from "../test-user.ts"
import {
  createAuthjsRequests,
  createChunkedCookie,
  createCredentialsRequest,
  createFiller,
  createStoredSessionCookies,
  credentialsOptions,
  fetchOtherCookies,
  oidcProviderConfig,
  openSqliteAdapter,
  otherProviderOptions,
  sessionCookieName,
} from "./authjs-compatible.ts"
import { openKyselyAdapter } from "./kysely-adapter.ts"
import type { Library, Site } from "./library.ts"
import { createSessionCookies } from "./sign-in.ts"

export const authjsLibrary: Library = {
  packages: ["@auth/core", "@auth/express", "@auth/kysely-adapter", "kysely"],
  hasStoredSessions: true,
  async openSite(kind, origin, folder) {
    return createSite(origin, kind === "stored" ? openKyselyAdapter(folder) : undefined)
  },
  async openSharedStoreSite(_, origin, folder) {
    return createSite(origin, (await openSqliteAdapter(folder)) as Adapter)
  },
  openFourProviderSite: async (origin) =>
    createSite(origin, undefined, [github(otherProviderOptions), google(otherProviderOptions)]),
}

function createSite(
  origin: string,
  adapter: Adapter | undefined,
  otherProviders: AuthConfig["providers"] = [],
): Site {
  const config: AuthConfig = {
    secret,
    trustHost: true,
    basePath: "/auth",
    // Auth.js refuses a credentials provider with database sessions.
    providers: adapter
      ? [oidcProviderConfig]
      : [oidcProviderConfig, ...otherProviders, credentials(credentialsOptions)],
    ...(adapter ? { adapter } : {}),
  }
  const send = createHandlerSender(origin, (request) => Auth(request, config))
  return {
    send,
    listener: createExpressApp(config),
    ...createAuthjsRequests(send),
    async createSessionCookies(count) {
      if (adapter) return createStoredSessionCookies(adapter, count)
      return createSessionCookies(await createCredentialsRequest(send), send, count)
    },
    createOtherCookies: () => fetchOtherCookies(send),
    async createCookieWithClaims(bytes) {
      const { name, email } = testUser
      const token = { sub: testUser.id, name, email, filler: createFiller(bytes) }
      return createChunkedCookie(await encode({ token, secret, salt: sessionCookieName }))
    },
    // Auth.js has no function for this: its framework packages request their own endpoint.
    async readUserEmail(cookie) {
      const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
      const session: Session | null = await (await Auth(request, config)).json()
      return session?.user?.email ?? undefined
    },
  }
}

function createExpressApp(config: AuthConfig): express.Express {
  const app = express()
  app.use("/auth", ExpressAuth(config))
  app.get("/me", async (req, res) => {
    res.json(await getSession(req, config))
  })
  return app
}
