import { type AuthConfig, createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import express from "express"
import { sendToHandler } from "../exchange.ts"
import { person, secret } from "../person.ts"
import {
  contractSteps,
  credentialsAsk,
  filler,
  inChunks,
  oidcProvider,
  openStore,
  sessionCookie,
  standingCookies,
  storedCookies,
  typed,
} from "./contract.ts"
import type { Kind, Library, Site } from "./library.ts"
import { cookiesOf } from "./sign-in.ts"

export const latchkey: Library = {
  name: "Latchkey",
  packages: ["@latchkey/core", "@latchkey/express", "@latchkey/sql"],
  open,
  openShared: async (stored) => stored,
}

async function open(kind: Kind, origin: string, folder: string): Promise<Site> {
  const adapter = kind === "stored" ? await openStore(folder) : undefined
  const config: AuthConfig = {
    secret,
    trustHost: true,
    providers: [oidcProvider, credentials(typed)],
    ...(adapter ? { adapter } : {}),
  }
  const auth = createAuth(config)
  const send = sendToHandler(origin, (request) => auth.handle(request))
  return {
    send,
    listener: expressApp(config),
    ...contractSteps(send),
    bare: { method: "GET", path: "/bare" },
    async cookies(count) {
      if (adapter) return storedCookies(adapter, count)
      return cookiesOf(await credentialsAsk(send), send, count)
    },
    standing: () => standingCookies(send),
    async withClaims(bytes) {
      const { name, email } = person
      const token = { sub: person.id, name, email, filler: filler(bytes) }
      return inChunks(await encode({ token, secret, salt: sessionCookie }))
    },
    async whoIs(cookie) {
      const { session } = await auth.session(new Headers({ cookie }), `${origin}/me`)
      return session?.user?.email ?? undefined
    },
  }
}

function expressApp(config: AuthConfig): express.Express {
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
