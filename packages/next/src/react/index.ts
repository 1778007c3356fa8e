/** Latchkey for client components: React 18 and 19. */
"use client"

import type { Client } from "@latchkey/client"
import { createReactClient, type ReactClient } from "@latchkey/client/react"

export type {
  ClientFailure,
  EmailRequest,
  SignInResult as SignInResponse,
  SignOutResult as SignOutResponse,
} from "@latchkey/client"
export {
  ClientError,
  type ClientSession,
  type SessionContextValue,
  type SessionProviderProps,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from "@latchkey/client/react"

const react: ReactClient = createReactClient(`${process.env.__NEXT_ROUTER_BASEPATH ?? ""}/api/auth`)

/** The client with default options, for `createPasskeys` for example. */
export const client: Client = react.client
/** Provides the session to `useSession`: see {@link ReactClient.SessionProvider}. */
export const SessionProvider: ReactClient["SessionProvider"] = react.SessionProvider
/** Signs in: without a provider on the sign-in page. */
export const signIn: Client["signIn"] = react.signIn
/** Signs in with the code of an e-mail. */
export const submitEmailCode: Client["submitEmailCode"] = react.submitEmailCode
/** Signs out. */
export const signOut: Client["signOut"] = react.signOut
/** Requests the session: null when nobody is signed in. */
export const getSession: Client["getSession"] = react.getSession
/** Changes the session, and returns the new one. */
export const updateSession: Client["updateSession"] = react.updateSession
/** Requests a CSRF token for a form. */
export const getCsrfToken: Client["getCsrfToken"] = react.getCsrfToken
/** Requests the providers by their ids. */
export const getProviders: Client["getProviders"] = react.getProviders
