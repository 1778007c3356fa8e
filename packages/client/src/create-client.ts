import type { InferClientSession } from "@latchkey/core/types"
import { ClientError, type ClientFailure } from "./client-failure.ts"
import type { Client, ClientOptions, KnownSessionState } from "./client-types.ts"
import { createHttpClient, type DataReply, type HttpClient } from "./http-client.ts"
import { setClientInternals } from "./internals.ts"
import { createSessionStore } from "./session-store.ts"
import { createSignInActions } from "./sign-in.ts"
import { createTabSync } from "./tab-sync.ts"

/**
 * Creates a client. It sends no request until you call one of its functions, so you can also create it on a server.
 *
 * @typeParam Source `typeof auth` or `typeof config`, from which the type of the session is inferred. By default, it is
 *   the default session with the additions that the application declares
 * @example
 * ```ts
 * import type { auth } from "./auth.ts"
 * export const client = createClient<typeof auth>({ basePath: "/api/auth" })
 * ```
 */
export const createClient: CreateClient = withBasePath("/auth")

type CreateClient = <Source = unknown>(
  options?: ClientOptions,
) => Client<InferClientSession<Source>>

/** Returns {@link createClient} with another default for `basePath`, for the packages of frameworks. */
export function withBasePath(basePath: string): CreateClient {
  return (options = {}) => createClientOf(createHttpClient(options, basePath), options)
}

function createClientOf<S>(httpClient: HttpClient, { pollInterval = 0 }: ClientOptions): Client<S> {
  const { basePath } = httpClient
  const tabs = createTabSync(`latchkey:${basePath}`, pollInterval)
  const store = createSessionStore<S>(httpClient, tabs)
  const { submitSignIn, ...actions } = createSignInActions(httpClient, store, tabs)
  const client: Client<S> = {
    basePath,
    ...actions,
    getSession: async () => requireSession(await store.fetchSession()),
    async updateSession(data) {
      const session = readBody(await httpClient.postJson("/session", { data }), "/session")
      const state = store.setSession(session)
      tabs.broadcastChange()
      return requireSession(state)
    },
    getCsrfToken: async () => readBody(await httpClient.getCsrfToken(), "/csrf"),
    getProviders: async () => readBody(await httpClient.getProviders(), "/providers"),
    onSessionChange: store.subscribe,
    sessionState: store.getState,
  }
  setClientInternals(client, { httpClient, submitSignIn })
  return client
}

/** @throws ClientError for a failure */
function readBody<Body>(reply: DataReply<Body> | ClientFailure, path: string): Body {
  if (reply.ok) return reply.body
  throw new ClientError(reply, path)
}

/** @throws ClientError when no session is known */
function requireSession<S>(state: KnownSessionState<S>): S | null {
  if (state.kind === "unavailable") throw new ClientError(state.failure, "/session")
  return state.kind === "signed-in" ? state.session : null
}
