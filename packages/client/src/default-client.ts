/** The client of an application whose actions are under `/auth`. */
import type { Client } from "./client-types.ts"
import { createClient } from "./create-client.ts"

/** The client with default options. Its functions are also exports of their own. */
export const client: Client = createClient()

/** Signs in: see {@link Client.signIn}. */
export const signIn: Client["signIn"] = client.signIn
/** Signs in with the code of an e-mail: see {@link Client.submitEmailCode}. */
export const submitEmailCode: Client["submitEmailCode"] = client.submitEmailCode
/** Signs out: see {@link Client.signOut}. */
export const signOut: Client["signOut"] = client.signOut
/** Requests the session: see {@link Client.getSession}. */
export const getSession: Client["getSession"] = client.getSession
/** Changes the session: see {@link Client.updateSession}. */
export const updateSession: Client["updateSession"] = client.updateSession
/** Requests a CSRF token: see {@link Client.getCsrfToken}. */
export const getCsrfToken: Client["getCsrfToken"] = client.getCsrfToken
/** Requests the providers: see {@link Client.getProviders}. */
export const getProviders: Client["getProviders"] = client.getProviders
/** Calls a function after each change of the session: see {@link Client.onSessionChange}. */
export const onSessionChange: Client["onSessionChange"] = client.onSessionChange
/** Returns the state of the session: see {@link Client.sessionState}. */
export const sessionState: Client["sessionState"] = client.sessionState
