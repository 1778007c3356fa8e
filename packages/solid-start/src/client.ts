/** The client for browsers, for the library at `/api/auth`. For another prefix, create one: {@link createClient}. */
import {
  type Client,
  type ClientOptions,
  createClient as createCoreClient,
} from "@latchkey/core/client"
import type { InferClientSession } from "@latchkey/core/types"

/** What a sign-in with `redirect: false` came to. */
/** Parameters for the authorization request. */
export type {
  AuthorizationParams as SignInAuthorizationParams,
  SignInResult as SignInResponse,
} from "@latchkey/core/client"
export {
  type AuthorizationParams,
  ClientError,
  type KnownSessionState,
  type PublicProviders,
  type SessionListener,
  type SessionState,
  type SignIn,
  type SignInOptions,
  type SignInResult,
  type SignOut,
  type SignOutOptions,
  type SignOutResult,
} from "@latchkey/core/client"
export type { Client, ClientOptions }

/**
 * Creates a client: the one place that knows the base path.
 *
 * @typeParam Source `typeof config`, from which the type of the session follows
 * @param options `basePath` is the `prefix` of the configuration, `"/api/auth"` where there is none
 * @example
 * export const { signIn, signOut } = createClient<typeof config>({ basePath: "/deep/er/auth" })
 */
export function createClient<Source = unknown>(
  options: ClientOptions = {},
): Client<InferClientSession<Source>> {
  return createCoreClient<Source>({ ...options, basePath: options.basePath ?? "/api/auth" })
}

/** The client with every default. Its functions are exported one by one, too. */
export const client: Client = createClient()

/** Signs somebody in: see {@link Client.signIn}. */
export const signIn: Client["signIn"] = client.signIn
/** Signs out whoever is signed in: see {@link Client.signOut}. */
export const signOut: Client["signOut"] = client.signOut
/** Asks who is signed in: see {@link Client.getSession}. */
export const getSession: Client["getSession"] = client.getSession
/** Changes what the session holds: see {@link Client.updateSession}. */
export const updateSession: Client["updateSession"] = client.updateSession
/** Asks for a token for a form: see {@link Client.getCsrfToken}. */
export const getCsrfToken: Client["getCsrfToken"] = client.getCsrfToken
/** Asks for the ways to sign in: see {@link Client.getProviders}. */
export const getProviders: Client["getProviders"] = client.getProviders
/** Hears of every change of the session: see {@link Client.onSessionChange}. */
export const onSessionChange: Client["onSessionChange"] = client.onSessionChange
/** Tells what is known of the session: see {@link Client.sessionState}. */
export const sessionState: Client["sessionState"] = client.sessionState
