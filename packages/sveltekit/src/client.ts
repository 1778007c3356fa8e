/** The client for pages, for actions under the default base path. For another one, create one: {@link createClient}. */
import {
  type Client,
  type createClient as createCoreClient,
  withBasePath,
} from "@latchkey/core/client"
import { defaultBasePath } from "./kit.ts"

export * from "@latchkey/core/client"

/**
 * Creates a client. Do this in one place, because it knows the base path.
 *
 * @typeParam Source `typeof config`, from which the type of the session is inferred
 * @param options `basePath` is that of the configuration; by default `/auth` under the application's `paths.base`
 * @example
 * export const { signIn, signOut } = createClient<typeof config>({ basePath: "/account/auth" })
 */
export const createClient: typeof createCoreClient = withBasePath(defaultBasePath)

/** The client with default options. Its functions are also exports of their own. */
export const client: Client = createClient()

export const signIn: Client["signIn"] = client.signIn
export const signOut: Client["signOut"] = client.signOut
export const getSession: Client["getSession"] = client.getSession
export const updateSession: Client["updateSession"] = client.updateSession
export const getCsrfToken: Client["getCsrfToken"] = client.getCsrfToken
export const getProviders: Client["getProviders"] = client.getProviders
export const onSessionChange: Client["onSessionChange"] = client.onSessionChange
export const sessionState: Client["sessionState"] = client.sessionState
