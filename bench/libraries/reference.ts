import { Auth, type AuthConfig } from "@auth/core"
import type { Adapter } from "@auth/core/adapters"
import { encode } from "@auth/core/jwt"
import credentials from "@auth/core/providers/credentials"
import type { Session } from "@auth/core/types"
import { ExpressAuth, getSession } from "@auth/express"
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
import { openKyselyStore } from "./kysely.ts"
import type { Library, Site } from "./library.ts"
import { cookiesOf } from "./sign-in.ts"

export const reference: Library = {
  name: "Reference",
  packages: ["@auth/core", "@auth/express", "@auth/kysely-adapter", "kysely"],
  async open(kind, origin, folder) {
    return siteOf(origin, kind === "stored" ? openKyselyStore(folder) : undefined)
  },
  async openShared(_, origin, folder) {
    return siteOf(origin, (await openStore(folder)) as Adapter)
  },
}

function siteOf(origin: string, store: Adapter | undefined): Site {
  const config: AuthConfig = {
    secret,
    trustHost: true,
    basePath: "/auth",
    // It refuses a password provider beside stored sessions.
    providers: store ? [oidcProvider] : [oidcProvider, credentials(typed)],
    ...(store ? { adapter: store } : {}),
  }
  const send = sendToHandler(origin, (request) => Auth(request, config))
  return {
    send,
    listener: expressApp(config),
    ...contractSteps(send),
    async cookies(count) {
      if (store) return storedCookies(store, count)
      return cookiesOf(await credentialsAsk(send), send, count)
    },
    standing: () => standingCookies(send),
    async withClaims(bytes) {
      const { name, email } = person
      const token = { sub: person.id, name, email, filler: filler(bytes) }
      return inChunks(await encode({ token, secret, salt: sessionCookie }))
    },
    // It has no call for this: its packages for frameworks ask its own endpoint.
    async whoIs(cookie) {
      const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
      const session: Session | null = await (await Auth(request, config)).json()
      return session?.user?.email ?? undefined
    },
  }
}

function expressApp(config: AuthConfig): express.Express {
  const app = express()
  app.use("/auth", ExpressAuth(config))
  app.get("/me", async (req, res) => {
    res.json(await getSession(req, config))
  })
  return app
}
