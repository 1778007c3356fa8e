/** Creates sessions without authentication. */
import type { AuthConfig } from "@latchkey/core"
import { MissingAdapter, MissingSecret } from "@latchkey/core/errors"
import {
  type CoreServices,
  createCoreServices,
  createSessionStrategy,
  replaceMethods,
  resolveConfig,
  SessionContext,
  type SignInResult,
} from "@latchkey/core/test-sessions"
import type { Account, Cookie, Profile, User } from "@latchkey/core/types"

/** The user to sign in, as the callbacks receive them. */
export interface TestSignIn {
  /** Must be stored if sessions are stored in a database. */
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  /** Omit it if users are not stored. */
  readonly isNewUser?: boolean
}

/**
 * Starts a session as a sign-in does, without authenticating the user. Reads only those options that sessions need, so
 * a configuration for Auth.js also works.
 *
 * @param urls the URLs at which the session is used. Their schemes determine the cookies. The session is one and the
 *   same for all of them: the `jwt` callback and `createSession` of the adapter are called once.
 * @returns the cookies to set, in order
 * @throws MissingSecret, MissingAdapter if the session strategy requires one
 * @throws TypeError if the `jwt` callback returns null
 * @throws the errors of the callback and of the adapter
 */
export async function startTestSession(
  authConfig: AuthConfig,
  signIn: TestSignIn,
  urls: readonly (string | URL)[],
): Promise<readonly Cookie[]> {
  const services = createSessionOnce(createCoreServices(resolveConfig(authConfig)))
  assertSessionConfig(services)
  const sessions = createSessionStrategy(services)
  const signInResult: SignInResult = { ...signIn, isNewUser: signIn.isNewUser }
  const cookies = new Map<string, Cookie>()
  for (const url of urls) {
    const context = new SessionContext(new Headers(), new URL(url), services.config)
    await sessions.startSession(context, signInResult)
    for (const cookie of context.jar.list) {
      if (!cookies.has(cookie.name)) cookies.set(cookie.name, cookie)
    }
  }
  if (cookies.size > 0) return [...cookies.values()]
  throw new TypeError("The `jwt` callback returned null: it gives this person no session")
}

/** Returns services that start one session, even if it has cookies for several schemes. */
function createSessionOnce(services: CoreServices): CoreServices {
  const { config, store } = services
  const { callbacks } = config
  return {
    ...services,
    config: { ...config, callbacks: { ...callbacks, jwt: once(callbacks.jwt) } },
    store: store && replaceMethods(store, { createSession: once(store.createSession) }),
  }
}

function once<Parameters extends unknown[], Result>(fn: (...parameters: Parameters) => Result) {
  let cached: { readonly result: Result } | undefined
  return (...parameters: Parameters): Result => {
    cached ??= { result: fn(...parameters) }
    return cached.result
  }
}

function assertSessionConfig({ config, store }: CoreServices): void {
  const { session, jwt } = config
  if (session.strategy === "database") {
    if (!store) throw new MissingAdapter({ hint: "Sessions in a database need an `adapter`." })
  } else if (jwt.secrets.length === 0 && !jwt.codec.encode) {
    throw new MissingSecret({
      expected: "a `secret` in the configuration",
      hint: "Variables of the environment are not read here: give the secret in the configuration.",
    })
  }
}
