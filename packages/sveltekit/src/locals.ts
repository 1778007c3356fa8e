/** What pages find in `event.locals`. */
import type { Cookie, InferSession, Session } from "@latchkey/core/types"
import { type AuthContext, createRequestContext } from "./auth-context.ts"

/**
 * To be extended by the application, so that `event.locals.auth()` has the type that the `session` callback of its
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

/** The configuration, or what a function of the event makes of it. */
type ResolvedConfig<Config> = Config extends (...parameters: never[]) => infer Result
  ? Awaited<Result>
  : Config

/** The session that `event.locals.auth()` gives. */
export type LocalSession = InferSession<RegisteredConfig>

/** What `handle` adds to `event.locals`. */
export interface AuthLocals {
  /**
   * The session of the request, or null when nobody is signed in. Looked up when it is first asked for, once for each
   * request. A session that was refreshed goes back to the browser with the answer, unless that is on its way already:
   * ask before anything is streamed.
   *
   * While the application is built, nobody is signed in.
   *
   * @throws AuthError when the session could not be checked: it may still be valid, so this is no sign-out
   * @throws TypeError when the configuration or `AUTH_URL` cannot be used
   */
  auth: () => Promise<LocalSession | null>
  /**
   * Changes what the session holds, and gives the new session; null when nobody is signed in. For form actions and
   * other code that SvelteKit runs for the application's own pages only.
   *
   * @param data handed to the `jwt` callback (strategy `jwt`) or the `session` callback, which have to validate it
   * @throws AuthError when the session could not be checked, and is as it was
   */
  updateSession: (data: unknown) => Promise<LocalSession | null>
}

declare global {
  namespace App {
    interface Locals extends AuthLocals {}
  }
}

/** While the application is built. */
export const signedOutLocals: AuthLocals = {
  auth: async () => null,
  updateSession: async () => null,
}

/** Creates what a request finds. Does nothing until it is asked. */
export function createLocals(getAuthContext: () => Promise<AuthContext>): AuthLocals {
  return {
    async auth() {
      const authContext = await getAuthContext()
      authContext.session ??= readSession(authContext)
      return toLocalSession(await authContext.session)
    },
    async updateSession(data) {
      const authContext = await getAuthContext()
      const updated = await changeSession(authContext, data)
      authContext.session = Promise.resolve(updated)
      return toLocalSession(updated)
    },
  }
}

/** A session is of the type that the registered configuration says. */
function toLocalSession(session: Session | null): LocalSession | null {
  return session as LocalSession | null
}

async function readSession(authContext: AuthContext): Promise<Session | null> {
  const { headers, url } = createRequestContext(authContext)
  const setRefreshedCookies = (cookies: readonly Cookie[]): void => {
    // Where somebody has signed in or out meanwhile, that stands.
    if (authContext.cookies.toCookieHeader() === headers.get("cookie"))
      trySetCookies(cookies, authContext)
  }
  const { session, cookies } = await authContext.integratedAuth.engine.session(
    headers,
    url,
    setRefreshedCookies,
  )
  setRefreshedCookies(cookies)
  return session
}

function trySetCookies(cookies: readonly Cookie[], authContext: AuthContext): void {
  try {
    authContext.cookies.set(cookies)
  } catch {
    // The answer is on its way: the session is refreshed with another one.
  }
}

async function changeSession(authContext: AuthContext, data: unknown): Promise<Session | null> {
  const { session, cookies } = await authContext.integratedAuth.engine.update({
    ...createRequestContext(authContext),
    data,
  })
  authContext.cookies.set(cookies)
  return session
}
