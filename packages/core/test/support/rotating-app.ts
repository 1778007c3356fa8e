/** An application whose session holds a provider's access token, and keeps it fresh. */
import { rotateAccessToken, type TokenRotationOptions } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProviderOptions,
  type TestBrowser,
  withFrozenTime,
} from "@latchkey/testing"
import { createOAuthApp } from "./oauth-app.ts"

/** When an access token that was just issued has expired, in seconds from now. */
export const secondsUntilExpired = 3700

/** An application that keeps access tokens fresh and exposes them to tests. */
export async function createRotatingApp(
  options: ScriptedProviderOptions = {},
  changes: Partial<TokenRotationOptions> = {},
) {
  const provider = await createScriptedProvider(options)
  const { issuer, clientId, clientSecret, fetch } = provider
  const rotation: TokenRotationOptions = { issuer, clientId, clientSecret, fetch, ...changes }
  const app = await createOAuthApp(provider.asOidc(), {
    session: { strategy: "jwt" },
    callbacks: {
      jwt: (params) => rotateAccessToken(params, rotation),
      session: ({ session, token }) => ({ ...session, token }),
    },
  })
  const alice = createTestBrowser(app.app)
  await alice.signIn(provider)
  provider.clearRequests()
  return { provider, app, alice, rotation }
}

/** The session token, so many seconds from now. */
export async function readToken(alice: TestBrowser, seconds = 0): Promise<JWT> {
  const session = await withFrozenTime(Date.now() + seconds * 1000, () => alice.getSession())
  return session?.["token"] as JWT
}
