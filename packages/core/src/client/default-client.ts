/** The client of an application that mounts the library on `/auth`. */
import { type Client, createClient } from "./create-client.ts"

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
