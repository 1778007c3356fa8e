import { type AuthConfig, createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
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
  sessionCookieName,
} from "./authjs-compatible.ts"
import type { Library, SessionStorage, Site } from "./library.ts"
import { createSessionCookies } from "./sign-in.ts"

export const latchkeyLibrary: Library = {
  packages: ["@latchkey/core", "@latchkey/express", "@latchkey/sql"],
  hasStoredSessions: true,
  openSite,
  openSharedStoreSite: async (storedSite) => storedSite,
}

async function openSite(storage: SessionStorage, origin: string, folder: string): Promise<Site> {
  const adapter = storage === "stored" ? await openSqliteAdapter(folder) : undefined
  const config: AuthConfig = {
    secret,
    trustHost: true,
    providers: [oidcProviderConfig, credentials(credentialsOptions)],
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
      const { session } = await auth.session(new Headers({ cookie }), `${origin}/me`)
      return session?.user?.email ?? undefined
    },
  }
}

function createExpressApp(config: AuthConfig): express.Express {
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  app.get("/me", async (req, res) => {
    res.json(await getSession(req, config))
  })
  app.get("/bare", (_, res) => {
    res.json(null)
  })
  return app
}
