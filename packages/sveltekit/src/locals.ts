import type { AuthContext } from "@latchkey/core/integration"
import type { InferSession } from "@latchkey/core/types"
import { refuseOtherSites } from "./same-origin.ts"

/**
 * Extend this interface in your application to give `event.locals.auth()` the type that the `session` callback of your
 * configuration returns.
 *
 * @example
 * // src/app.d.ts
 * import type { config } from "./auth.config"
 *
 * declare module "@latchkey/sveltekit" {
 *   interface Register {
 *     config: typeof config
 *   }
 * }
 */
export interface Register {}

type RegisteredConfig = Register extends { config: infer Config } ? ResolvedConfig<Config> : unknown

/** The configuration, or the result of a function of the event. */
type ResolvedConfig<Config> = Config extends (...parameters: never[]) => infer Result
  ? Awaited<Result>
  : Config

/** The session that `event.locals.auth()` returns. */
export type LocalSession = InferSession<RegisteredConfig>

/** The functions that `handle` adds to `event.locals`. */
export interface AuthLocals {
  /**
   * Returns the session of the request, or null when nobody is signed in. The first call of a request reads it. A
   * renewed session is set on the response, unless that has been sent: call this before you stream anything.
   *
   * While the application is being built, nobody is signed in.
   *
   * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
   * @throws TypeError when the configuration or `AUTH_URL` is invalid
   */
  auth: () => Promise<LocalSession | null>
  /**
   * Changes the session and returns the new one; null when nobody is signed in. For form actions and other code that
   * runs for requests of the application's own pages. For requests from elsewhere, such as a link on another site, it
   * throws SvelteKit's error 403.
   *
   * @param data for the `jwt` callback (strategy `jwt`) or the `session` callback, which must validate it
   * @throws AuthError when the session could not be checked and is unchanged
   */
  updateSession: (data: unknown) => Promise<LocalSession | null>
}

declare global {
  namespace App {
    interface Locals extends AuthLocals {}
  }
}

/** The functions while the application is being built. */
export const signedOutLocals: AuthLocals = {
  auth: async () => null,
  updateSession: async () => null,
}

/** Creates the functions of a request, whose sessions have the type that the registered configuration says. */
export function createLocals(getAuthContext: () => Promise<AuthContext>): AuthLocals {
  return {
    auth: async () => (await (await getAuthContext()).getSession()).session as LocalSession | null,
    async updateSession(data) {
      const authContext = await getAuthContext()
      refuseOtherSites(authContext)
      return (await authContext.updateSession(data)) as LocalSession | null
    },
  }
}
