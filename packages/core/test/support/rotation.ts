/** An application whose session holds a provider's access token, and keeps it fresh. */
import { type RotateOptions, rotateAccessToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import {
  type Browser,
  browser,
  type ProviderOptions,
  scriptedProvider,
  withClock,
} from "@latchkey/testing"
import { oauthApp } from "./oauth-app.ts"

/** When an access token that was just issued has expired, in seconds from now. */
export const expired = 3700

/** An application that keeps access tokens fresh and shows the tests what it has. */
export async function rotating(
  options: ProviderOptions = {},
  changes: Partial<RotateOptions> = {},
) {
  const provider = await scriptedProvider(options)
  const { issuer, clientId, clientSecret, fetch } = provider
  const rotation: RotateOptions = { issuer, clientId, clientSecret, fetch, ...changes }
  const at = await oauthApp(provider.asOidc(), {
    session: { strategy: "jwt" },
    callbacks: {
      jwt: (params) => rotateAccessToken(params, rotation),
      session: ({ session, token }) => ({ ...session, token }),
    },
  })
  const alice = browser(at.app)
  await alice.signIn(provider)
  provider.forget()
  return { provider, at, alice, rotation }
}

/** The session token, so many seconds from now. */
export async function tokenOf(alice: Browser, seconds = 0): Promise<JWT> {
  const session = await withClock(Date.now() + seconds * 1000, () => alice.session())
  return session?.["token"] as JWT
}
