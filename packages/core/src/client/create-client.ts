import type { InferClientSession } from "../types.ts"
import { ClientError, type ClientFailure } from "./client-failure.ts"
import {
  createHttpClient,
  type DataReply,
  type HttpClient,
  type HttpClientOptions,
  readTextProperty,
} from "./http-client.ts"
import { setClientInternals } from "./internals.ts"
import {
  createSessionStore,
  type KnownSessionState,
  type SessionListener,
  type SessionState,
} from "./session-store.ts"
import { createSignInActions, type PublicProviders } from "./sign-in.ts"
import type { SignIn, SignOut } from "./sign-in-types.ts"
import { createTabSync } from "./tab-sync.ts"

/** How to set up a client. */
export interface ClientOptions extends HttpClientOptions {
  /**
   * How often to request the session while it has listeners and the page is visible, in seconds; 0 for never.
   *
   * @defaultValue `0`
   */
  readonly pollInterval?: number
}

/** The functions of the client. You can use each of them without the object. */
export interface Client<S = InferClientSession<unknown>> {
  /** The base path without a trailing slash. */
  readonly basePath: string
  /** Signs in. Without a provider, or with an unknown one, it goes to the sign-in page. */
  readonly signIn: SignIn<S>
  /** Signs out. */
  readonly signOut: SignOut
  /**
   * Requests the session; null when nobody is signed in. If the request fails, it returns the session that it last
   * received.
   *
   * @throws ClientError when the request fails and no session is known
   */
  readonly getSession: () => Promise<S | null>
  /**
   * Sends data to the application's `jwt` callback (strategy `jwt`) or `session` callback (strategy `database`), and
   * returns the new session; null when nobody is signed in.
   *
   * @throws ClientError when the server refused or the request failed
   */
  readonly updateSession: (data?: unknown) => Promise<S | null>
  /**
   * Requests the CSRF token for a form that posts to the library; undefined if the framework protects against CSRF.
   *
   * @throws ClientError when the request fails
   */
  readonly getCsrfToken: () => Promise<string | undefined>
  /**
   * Requests the providers by their ids, once.
   *
   * @throws ClientError when the request fails
   */
  readonly getProviders: () => Promise<PublicProviders>
  /**
   * Calls a function with the state of the session as soon as it is known, and after each change in this page, in other
   * tabs and, as far as the page notices, on the server. Returns a function that stops this.
   */
  readonly onSessionChange: (listener: SessionListener<S>) => () => void
  /** Returns the current state of the session; the same object until it changes. */
  readonly sessionState: () => SessionState<S>
}

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
  return <Source = unknown>(options: ClientOptions = {}) =>
    createClientOf<InferClientSession<Source>>(createHttpClient(options, basePath), options)
}

function createClientOf<S>(httpClient: HttpClient, { pollInterval = 0 }: ClientOptions): Client<S> {
  const { basePath } = httpClient
  const tabs = createTabSync(`latchkey:${basePath}`, pollInterval)
  const store = createSessionStore<S>(httpClient, tabs)
  let cachedProviders: DataReply<PublicProviders> | undefined

  /** Requests the providers once. They change only when the server restarts. */
  async function loadProviders(): Promise<DataReply<PublicProviders> | ClientFailure> {
    const reply = cachedProviders ?? (await httpClient.getJson<PublicProviders>("/providers"))
    if (reply.ok) cachedProviders = reply
    return reply
  }

  const { submitSignIn, signIn, signOut } = createSignInActions(
    httpClient,
    store,
    tabs,
    loadProviders,
  )
  const client: Client<S> = {
    basePath,
    signIn,
    signOut,
    getSession: async () => requireSession(await store.fetchSession()),
    async updateSession(data) {
      const { body } = assertReply(await httpClient.postJson("/session", { data }), "/session")
      const state = store.setSession(body)
      tabs.broadcastChange()
      return requireSession(state)
    },
    getCsrfToken: async () =>
      readTextProperty(assertReply(await httpClient.getCsrfToken(), "/csrf").body, "csrfToken"),
    getProviders: async () => assertReply(await loadProviders(), "/providers").body,
    onSessionChange: store.subscribe,
    sessionState: store.getState,
  }
  setClientInternals(client, { httpClient, submitSignIn })
  return client
}

/** @throws ClientError for a failure */
function assertReply<T extends { readonly ok: true }>(reply: T | ClientFailure, path: string): T {
  if (reply.ok) return reply
  throw new ClientError(reply, path)
}

/** @throws ClientError when no session is known */
function requireSession<S>(state: KnownSessionState<S>): S | null {
  if (state.kind === "unavailable") throw new ClientError(state.failure, "/session")
  return state.kind === "signed-in" ? state.session : null
}
