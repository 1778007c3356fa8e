/** The client for components of React 18 and 19. */
"use client"

import type { Client } from "../client-types.ts"
import { createReactClient, type ReactClient } from "./react-client.ts"

export { ClientError } from "../client-failure.ts"
export { createReactClient, type ReactClient } from "./react-client.ts"
export type { ClientSession } from "./session-context.ts"
export type { SessionProviderProps } from "./session-provider.ts"
export {
  type SessionContextValue,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from "./use-session.ts"

const react: ReactClient = createReactClient("/auth")

/** The client with default options, for `createPasskeys` for example. */
export const client: Client = react.client
/** Provides the session to `useSession`: see {@link ReactClient.SessionProvider}. */
export const SessionProvider: ReactClient["SessionProvider"] = react.SessionProvider
/** Signs in: see {@link Client.signIn}. */
export const signIn: Client["signIn"] = react.signIn
/** Signs in with the code of an e-mail: see {@link Client.submitEmailCode}. */
export const submitEmailCode: Client["submitEmailCode"] = react.submitEmailCode
/** Signs out: see {@link Client.signOut}. */
export const signOut: Client["signOut"] = react.signOut
/** Requests the session: see {@link Client.getSession}. */
export const getSession: Client["getSession"] = react.getSession
/** Changes the session: see {@link Client.updateSession}. */
export const updateSession: Client["updateSession"] = react.updateSession
/** Requests a CSRF token: see {@link Client.getCsrfToken}. */
export const getCsrfToken: Client["getCsrfToken"] = react.getCsrfToken
/** Requests the providers: see {@link Client.getProviders}. */
export const getProviders: Client["getProviders"] = react.getProviders
