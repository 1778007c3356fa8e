/** An application whose sessions keep the tokens of providers. */
import {
  type AccessTokenOptions,
  Auth,
  type AuthConfig,
  type AuthRequest,
  createAuth,
  type LatchkeyAuth,
} from "@latchkey/core"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { createOAuthApp } from "./oauth-app.ts"

/** Options of `getAccessToken`, and the process that is asked. */
export interface ProcessOptions extends AccessTokenOptions {
  readonly process?: Pick<LatchkeyAuth, "getAccessToken">
}

/** An application without a database, whose sessions keep the tokens of two providers. */
export async function createSessionTokenApp(changes: Partial<AuthConfig> = {}) {
  const [first, second] = await Promise.all([
    createScriptedProvider({ id: "first", refreshTokens: "rotated" }),
    createScriptedProvider({
      id: "second",
      issuer: "https://second.example",
      refreshTokens: "rotated",
      user: { sub: "ada at the second", name: "Ada", email: "ada@second.example" },
    }),
  ])
  const { adapter: _, ...config } = (
    await createOAuthApp([first.asOidc(), second.asOidc()], {
      session: { strategy: "jwt", providerTokens: true },
      ...changes,
    })
  ).config
  const auth = createAuth(config)
  const alice = createTestBrowser((request: Request) => Auth(request, config))
  const createRequest = () => {
    const cookies = [...alice.cookies].map(({ raw }) => raw.split(";", 1)[0])
    return { headers: new Headers({ cookie: cookies.join("; ") }), url: alice.origin }
  }
  /** Gets a token as a framework package does: the response sets the cookies. */
  const getToken = async (
    provider: string,
    request: AuthRequest = createRequest(),
    { process = auth, ...options }: ProcessOptions = {},
  ) => {
    const { cookies, ...token } = await process.getAccessToken(request, provider, options)
    for (const { name, value } of cookies)
      alice.cookies.setUnchecked(alice.origin, `${name}=${value}; Path=/; HttpOnly`)
    return { ...token, cookieCount: cookies.length }
  }
  return { first, second, auth, alice, createRequest, getToken, config }
}
