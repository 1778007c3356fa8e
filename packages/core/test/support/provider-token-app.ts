/** An application whose users have accounts with tokens in its database. */
import { type AccessTokenOptions, type AuthConfig, createAuth } from "@latchkey/core"
import type { OIDCConfig } from "@latchkey/core/providers"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProviderOptions,
} from "@latchkey/testing"
import { createOAuthApp } from "./oauth-app.ts"

/** Options of {@link createProviderTokenApp}. */
export interface ProviderTokenAppOptions {
  readonly provider?: ScriptedProviderOptions
  /** Changes of the provider's definition. */
  readonly definition?: Partial<OIDCConfig>
  readonly config?: Partial<AuthConfig>
}

/** Signs a user in, and returns what tests of access tokens need. */
export async function createProviderTokenApp(options: ProviderTokenAppOptions = {}) {
  const provider = await createScriptedProvider({ refreshTokens: "rotated", ...options.provider })
  const definition = { ...provider.asOidc(), ...options.definition }
  const app = await createOAuthApp(definition, options.config)
  const alice = createTestBrowser(app.app)
  await alice.signIn(provider)
  provider.clearRequests()
  const auth = createAuth(app.config)
  const readAccount = () => app.readRows("Account")[0] ?? {}
  return {
    provider,
    app,
    alice,
    auth,
    readAccount,
    /** The request of the signed-in user, with the cookies that the browser has now. */
    createRequest() {
      const cookies = [...alice.cookies].map(({ raw }) => raw.split(";", 1)[0])
      return { headers: new Headers({ cookie: cookies.join("; ") }), url: alice.origin }
    },
    userId: String(readAccount()["userId"]),
    getToken: (...[options]: [AccessTokenOptions?]) =>
      auth.getAccessToken({ userId: String(readAccount()["userId"]) }, "scripted", options),
  }
}

/** In seconds: the access tokens of the scripted provider are valid for an hour. */
export const tokenLifetime = 3600
