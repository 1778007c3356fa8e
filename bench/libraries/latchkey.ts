import { type AuthConfig, createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { encode } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import google from "@latchkey/core/providers/google"
import { getSession, MiddlewareAuth } from "@latchkey/express"
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
import type { Library, Site } from "./library.ts"
import { createSessionCookies } from "./sign-in.ts"

export const latchkeyLibrary: Library = {
  packages: ["@latchkey/core", "@latchkey/express", "@latchkey/sql"],
  hasStoredSessions: true,
  openSite: async (storage, origin, folder) =>
    createSite(origin, storage === "stored" ? await openSqliteAdapter(folder) : undefined),
  openSharedStoreSite: async (storedSite) => storedSite,
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
    providers: [oidcProviderConfig, ...otherProviders, credentials(credentialsOptions)],
    // The other libraries have no limits, and all sign-ins are of one account.
    attemptLimits: false,
    ...(adapter ? { adapter } : {}),
  }
  const auth = createAuth(config)
  const send = createHandlerSender(origin, (request) => auth.handle(request))
  return {
    send,
    listener: createExpressApp(config),
    ...createAuthjsRequests(send),
    publicPageRequest: { method: "GET", path: "/bare" },
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
    async readUserEmail(cookie) {
      const { session } = await auth.getSession({
        headers: new Headers({ cookie }),
        url: `${origin}/me`,
      })
      return session?.user?.email ?? undefined
    },
  }
}

/** The session of the test user, without its check. */
const exampleSession = {
  user: { name: testUser.name, email: testUser.email, image: testUser.image },
  expires: new Date(Date.now() + 2_592_000_000).toISOString(),
}

function createExpressApp(config: AuthConfig): express.Express {
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  app.get("/me", async (req, res) => {
    res.json(await getSession(req, config))
  })
  app.get("/bare", (_, res) => {
    res.json(exampleSession)
  })
  return app
}
