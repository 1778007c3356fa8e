/** The client for browsers, for actions under `/api/auth`. For another prefix, create one: {@link createClient}. */
import { type Client, type createClient as createBaseClient, withBasePath } from "@latchkey/client"

export type {
  AuthorizationParams as SignInAuthorizationParams,
  SignInResult as SignInResponse,
} from "@latchkey/client"
export * from "@latchkey/client"

/**
 * Creates a client. Do this in one place, because it knows the base path.
 *
 * @typeParam Source `typeof config`, from which the type of the session is inferred
 * @param options `basePath` is the `prefix` of the configuration; `"/api/auth"` by default
 * @example
 * export const { signIn, signOut } = createClient<typeof config>({ basePath: "/deep/er/auth" })
 */
export const createClient: typeof createBaseClient = withBasePath("/api/auth")

/** The client with default options. Its functions are also exports of their own. */
export const client: Client = createClient()

export const signIn: Client["signIn"] = client.signIn
export const submitEmailCode: Client["submitEmailCode"] = client.submitEmailCode
export const signOut: Client["signOut"] = client.signOut
export const getSession: Client["getSession"] = client.getSession
export const updateSession: Client["updateSession"] = client.updateSession
export const getCsrfToken: Client["getCsrfToken"] = client.getCsrfToken
export const getProviders: Client["getProviders"] = client.getProviders
export const onSessionChange: Client["onSessionChange"] = client.onSessionChange
export const sessionState: Client["sessionState"] = client.sessionState
