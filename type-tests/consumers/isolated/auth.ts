/** With `isolatedDeclarations`, everything that is exported has an annotation: each type has a name to import. */
import { type Client, createClient } from "@latchkey/client"
import {
  type AuthConfig,
  createAuth,
  defineConfig,
  type LatchkeyAuth,
  type ServerAuth,
} from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type getToken as GetToken, getToken } from "@latchkey/core/jwt"
import type { CredentialsConfig, OAuthConfig, OIDCConfig, Provider } from "@latchkey/core/providers"
import credentials from "@latchkey/core/providers/credentials"
import gitHub, { type GitHubProfile } from "@latchkey/core/providers/github"
import google, { type GoogleProfile } from "@latchkey/core/providers/google"
import { createSessionReader, type SessionReader } from "@latchkey/core/session-reader"
import type { InferClientSession, InferSession, JWT, Session } from "@latchkey/core/types"
import {
  type AuthMiddleware,
  type GetSessionResult,
  getAuth,
  getSession,
  MiddlewareAuth,
  type RouteRequest,
  requireFreshSession,
} from "@latchkey/express"
import { holds, type Same } from "./expect.js"

export interface MyToken extends JWT {
  role: "admin" | "member"
}

export interface MySession extends Session {
  role: MyToken["role"]
}

export declare const adapter: Adapter
export const gitHubProvider: OAuthConfig<GitHubProfile> = gitHub({ clientId: "a" })
export const googleProvider: OIDCConfig<GoogleProfile> = google({ clientId: "a" })
export const passwords: CredentialsConfig = credentials({ authorize: () => null })
export const providers: Provider[] = [gitHub, google, passwords]

export const auth: LatchkeyAuth<MySession> = createAuth({
  providers,
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" as MyToken["role"] }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})
holds<Same<InferSession<typeof auth>, MySession>>()

export const plain: LatchkeyAuth = createAuth({ providers, adapter })

export const config: AuthConfig<MyToken, MySession> = defineConfig({
  providers,
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" as MyToken["role"] }),
    session: ({ session, token }) => ({ ...session, role: token.role }),
  },
})
export const middleware: AuthMiddleware = MiddlewareAuth(config)
export const fresh: AuthMiddleware = requireFreshSession(config, { maxAge: 60 })
export const serverAuth: ServerAuth = getAuth(config)
export const sessionOf = (req: RouteRequest): GetSessionResult<typeof config> =>
  getSession(req, config)
holds<Same<Awaited<ReturnType<typeof sessionOf>>, MySession | null>>()

export const reader: SessionReader<MySession> = createSessionReader(config)
export const client: Client<InferClientSession<typeof auth>> = createClient<typeof auth>()
export const readToken: typeof GetToken = getToken
