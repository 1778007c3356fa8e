/** The client for pages, for actions under the default base path. For another one, create one: {@link createClient}. */
import {
  type SignInOptions as BaseSignInOptions,
  type Client,
  type createClient as createBaseClient,
  type SignInResult,
  type SignOutOptions,
  withBasePath,
} from "@latchkey/client"
import type { Session } from "@latchkey/core/types"
import { defaultBasePath } from "./kit.ts"

export type {
  AuthorizationParams as SignInAuthorizationParams,
  SignOutResult as SignOutResponse,
} from "@latchkey/client"
export * from "@latchkey/client"

/** Where to go afterwards, and the fields of the provider. With `redirect: false`, the page stays. */
export interface SignInOptions<Redirect extends boolean = boolean> extends BaseSignInOptions {
  /** Whether to leave the page. @defaultValue `true` */
  readonly redirect?: Redirect | undefined
}

/** Where to go after signing out. With `redirect: false`, the page stays. */
export interface SignOutParams<Redirect extends boolean = boolean> extends SignOutOptions {
  /** Whether to leave the page. @defaultValue `true` */
  readonly redirect?: Redirect | undefined
}

/** The result of a sign-in with `redirect: false`. */
export type SignInResponse = SignInResult<Session>

/**
 * Creates a client. Do this in one place, because it knows the base path.
 *
 * @typeParam Source `typeof config`, from which the type of the session is inferred
 * @param options `basePath` is that of the configuration; by default `/auth` under the application's `paths.base`
 * @example
 * export const { signIn, signOut } = createClient<typeof config>({ basePath: "/account/auth" })
 */
export const createClient: typeof createBaseClient = withBasePath(defaultBasePath)

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
