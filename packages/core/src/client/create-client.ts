/** The client: its parts, put together. */
import type { InferClientSession } from "../types.ts"
import { ClientError, type ClientFailure } from "./client-failure.ts"
import { createHttpClient, type HttpClientOptions } from "./http-client.ts"
import { setClientInternals } from "./internals.ts"
import { createProviderLoader, type PublicProviders } from "./provider-list.ts"
import { readTextProperty } from "./reply.ts"
import {
  createSessionStore,
  type KnownSessionState,
  type SessionListener,
  type SessionState,
} from "./session-store.ts"
import { createSignInActions } from "./sign-in.ts"
import type { SignIn, SignOut } from "./sign-in-types.ts"
import { createTabSync } from "./tab-sync.ts"

/** How a client is set up. */
export interface ClientOptions extends HttpClientOptions {
  /**
   * Seconds from one look at the session to the next while somebody listens and the page is in sight; 0 for
   * none.
   *
   * @defaultValue `0`
   */
  readonly pollInterval?: number
}

/** The functions of the client. Each works without its object. */
export interface Client<S = InferClientSession<unknown>> {
  /** The base path without a trailing slash. */
  readonly basePath: string
  /** Signs somebody in. Without a provider, or with an unknown one, it leads to the sign-in page. */
  readonly signIn: SignIn<S>
  /** Signs out whoever is signed in. */
  readonly signOut: SignOut
  /**
   * Asks the server who is signed in; null for nobody. While the server cannot be asked, it is who was signed
   * in when it last could.
   *
   * @throws ClientError when the server cannot be asked, and nothing is known
   */
  readonly getSession: () => Promise<S | null>
  /**
   * Sends data to the `jwt` callback (strategy `jwt`) or `session` callback (strategy `database`) of the
   * application, and returns the new session; null when nobody is signed in.
   *
   * @throws ClientError when it was refused, or the server cannot be asked
   */
  readonly updateSession: (data?: unknown) => Promise<S | null>
  /**
   * The token for a form that posts to the library; undefined when the server leaves the check to its
   * framework.
   *
   * @throws ClientError when the server cannot be asked
   */
  readonly getCsrfToken: () => Promise<string | undefined>
  /**
   * The ways to sign in, by the ids of the providers. Asked for once.
   *
   * @throws ClientError when the server cannot be asked
   */
  readonly getProviders: () => Promise<PublicProviders>
  /**
   * Calls a function with what is known of the session, as soon as anything is, and with every change: in this
   * page, in other tabs, and on the server, as far as the page finds out. Returns what ends it.
   */
  readonly onSessionChange: (listener: SessionListener<S>) => () => void
  /** What is known of the session now; the same object until it changes. */
  readonly sessionState: () => SessionState<S>
}

/**
 * Creates a client. It does nothing until one of its functions is called, and can be created on a server.
 *
 * @typeParam Source `typeof auth` or `typeof config`, from which the type of the session follows; without it, the
 *   session is the default one, with whatever the application added by augmentation
 * @example
 * ```ts
 * import type { auth } from "./auth.ts"
 * export const client = createClient<typeof auth>({ basePath: "/api/auth" })
 * ```
 */
export function createClient<Source = unknown>(
  options: ClientOptions = {},
): Client<InferClientSession<Source>> {
  type S = InferClientSession<Source>
  const endpoint = createHttpClient(options)
  const { basePath } = endpoint
  const listProviders = createProviderLoader(endpoint)
  const tabs = createTabSync(`latchkey:${basePath}`, options.pollInterval ?? 0)
  const store = createSessionStore<S>(endpoint, tabs)
  const { submitSignIn, signIn, signOut } = createSignInActions({
    endpoint,
    store,
    tabs,
    listProviders,
  })
  const client: Client<S> = {
    basePath,
    // Leaving the page is a promise that never resolves, which is what `Promise<never>` says.
    signIn: signIn as SignIn<S>,
    signOut: signOut as SignOut,
    getSession: async () => requireSession(await store.fetchSession()),
    async updateSession(data) {
      const path = "/session"
      const { body } = assertReply(await endpoint.postJson(path, { data }), path)
      const state = store.setSession(body)
      tabs.broadcastChange()
      return requireSession(state)
    },
    getCsrfToken: async () =>
      readTextProperty(assertReply(await endpoint.getCsrfToken(), "/csrf").body, "csrfToken"),
    getProviders: async () => assertReply(await listProviders(), "/providers").body,
    onSessionChange: store.subscribe,
    sessionState: store.getState,
  }
  setClientInternals(client, { httpClient: endpoint, submitSignIn: submitSignIn })
  return client
}

/** @throws ClientError for a failure */
function assertReply<T extends { readonly ok: true }>(reply: T | ClientFailure, path: string): T {
  if (reply.ok) return reply
  throw new ClientError(reply, path)
}

/** @throws ClientError when nothing is known */
function requireSession<S>(state: KnownSessionState<S>): S | null {
  if (state.kind === "unavailable") throw new ClientError(state.failure, "/session")
  return state.kind === "signed-in" ? state.session : null
}
