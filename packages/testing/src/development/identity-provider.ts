/** The identity provider behind `developmentProvider`: its endpoints in this process, and the server of its page. */
import type { ProviderState } from "../provider/provider-state.ts"
import { createProviderState } from "../provider/provider-state.ts"
import { handleProviderRequest } from "../provider/router.ts"
import { createInProcessFetch, startServer } from "../provider/transport.ts"
import type { ScriptedProviderOptions, ScriptedUser } from "../provider/types.ts"
import { handleSignInRequest } from "./sign-in-server.ts"

export interface IdentityProvider {
  /** Calls all endpoints but the authorization endpoint, which is for browsers. */
  readonly fetch: typeof fetch
}

/**
 * Starts the server of the page, on a free port of the loopback interface. Only the page is reachable over the network:
 * codes and tokens are issued and redeemed in this process. The server does not keep the process alive.
 */
export async function startIdentityProvider(
  options: ScriptedProviderOptions,
  listUsers: () => readonly ScriptedUser[],
): Promise<IdentityProvider> {
  const state = await createProviderState(options)
  const { server, origin } = await startServer((request) =>
    handleSignInRequest(state, listUsers(), request),
  )
  server.unref()
  state.endpoints = { ...state.endpoints, authorize: `${origin}/authorize` }
  return { fetch: createInProcessFetch((request) => handleAndForget(state, request)) }
}

/** The recordings are for tests. A development server runs for days. */
async function handleAndForget(state: ProviderState, request: Request): Promise<Response> {
  const response = await handleProviderRequest(state, request)
  for (const recordings of [state.requests, state.authorizationRequests, state.secrets])
    recordings.length = 0
  return response
}
