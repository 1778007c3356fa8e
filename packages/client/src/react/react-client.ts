/** The client of a page with React, whose options `SessionProvider` sets. */

import { createElement, type ReactNode } from "react"
import type { Client, ClientOptions } from "../client-types.ts"
import { withBasePath } from "../create-client.ts"
import { ProvideSession, type SessionProviderProps } from "./session-provider.ts"

type SharedFunctions = Pick<
  Client,
  | "getCsrfToken"
  | "getProviders"
  | "getSession"
  | "signIn"
  | "signOut"
  | "submitEmailCode"
  | "updateSession"
>

/** The functions of the client that the last `SessionProvider` has configured. */
export interface ReactClient extends SharedFunctions {
  /** The client with default options, for `createPasskeys` for example. */
  readonly client: Client
  /**
   * Provides the session to `useSession`. It requests the session when the page is opened or becomes visible again, which
   * renews it, and when another tab has changed it.
   */
  readonly SessionProvider: (props: SessionProviderProps) => ReactNode
}

/** Creates the functions for the default base path of a framework's package. */
export function createReactClient(defaultBasePath: string): ReactClient {
  const createClient = withBasePath(defaultBasePath)
  const client: Client = createClient()
  let current = client
  let currentOptions = "{}"

  /** Returns the client with these options, which the functions use from then on. */
  function configureClient(options: ClientOptions): Client {
    const key = JSON.stringify(options)
    if (key !== currentOptions) current = key === "{}" ? client : createClient(options)
    currentOptions = key
    return current
  }

  return {
    client,
    SessionProvider({ basePath, refetchInterval: pollInterval, ...props }) {
      const options = { ...(basePath && { basePath }), ...(pollInterval && { pollInterval }) }
      return createElement(ProvideSession, { ...props, client: configureClient(options) })
    },
    signIn: ((...input: Parameters<Client["signIn"]>) =>
      current.signIn(...input)) as Client["signIn"],
    submitEmailCode: (...input) => current.submitEmailCode(...input),
    signOut: ((...input: Parameters<Client["signOut"]>) =>
      current.signOut(...input)) as Client["signOut"],
    getSession: () => current.getSession(),
    updateSession: (data) => current.updateSession(data),
    getCsrfToken: () => current.getCsrfToken(),
    getProviders: () => current.getProviders(),
  }
}
