import type { AccessToken, AccessTokenOptions } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"
import type { GetAuthContext } from "./auth-context.ts"

/** Returns an access token of a provider for the signed-in user, refreshed if it has to be. */
export type GetAccessToken = (
  event: RequestEvent,
  provider: string,
  options?: AccessTokenOptions,
) => Promise<AccessToken>

export function createGetAccessToken(getAuthContext: GetAuthContext): GetAccessToken {
  return async (event, provider, options) =>
    (await getAuthContext(event)).getAccessToken(provider, options)
}
