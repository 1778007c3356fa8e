/** Sessions of people who proved nothing: what a test kit needs, and nothing else does. */
import { RequestSessionContext } from "./actions/parse-request.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { type CoreServices, createCoreServices } from "./config/core-services.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { MissingAdapter, MissingSecret } from "./errors.ts"
import type { SignInResult } from "./proven-identity.ts"
import { createSessionStrategy } from "./sessions/create-session-strategy.ts"
import type { Account, Cookie, Profile, User } from "./types.ts"

/** Who is to be signed in, as the callbacks of a sign-in see them. */
export interface TestSignIn {
  /** With sessions in a database: a stored one. */
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  /** Leave it out where nothing is stored that could tell. */
  readonly isNewUser?: boolean
}

/**
 * Starts a session as a sign-in does, without asking anybody for a proof: an application that calls this signs in
 * whoever it names. Nothing but what sessions need of the configuration is looked at, so that one that was written for
 * another library of the same contract will do.
 *
 * @param urls where the session is to be used: the scheme decides about the cookies. It is one session, whose `jwt`
 *   callback and row in the database are asked for once.
 * @returns the cookies to set, in order
 * @throws MissingSecret, MissingAdapter when the configuration lacks what its strategy needs, TypeError when the `jwt`
 *   callback gives out no session; what the callback and the adapter throw
 */
export async function startTestSession(
  authConfig: AuthConfig,
  signIn: TestSignIn,
  urls: readonly (string | URL)[],
): Promise<readonly Cookie[]> {
  const services = createSessionOnce(createCoreServices(resolveConfig(authConfig)))
  assertSessionConfig(services)
  const sessions = createSessionStrategy(services)
  const cookies = new Map<string, Cookie>()
  for (const url of urls) {
    const context = new RequestSessionContext(new Headers(), new URL(url), services)
    const signInResult: SignInResult = { ...signIn, isNewUser: signIn.isNewUser }
    await sessions.startSession(context, signInResult)
    for (const cookie of context.jar.list) {
      if (!cookies.has(cookie.name)) cookies.set(cookie.name, cookie)
    }
  }
  if (cookies.size > 0) return [...cookies.values()]
  throw new TypeError("The `jwt` callback returned null: it gives this person no session")
}

/** One session, however many schemes it has cookies for. */
function createSessionOnce(services: CoreServices): CoreServices {
  const { config, store } = services
  const { callbacks } = config
  return {
    ...services,
    config: { ...config, callbacks: { ...callbacks, jwt: once(callbacks.jwt) } },
    store: store && { ...store, createSession: once(store.createSession) },
  }
}

function once<Parameters extends unknown[], Result>(
  fn: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  let cached: { readonly result: Result } | undefined
  return (...parameters) => {
    cached ??= { result: fn(...parameters) }
    return cached.result
  }
}

function assertSessionConfig({ config, store }: CoreServices): void {
  const { session, jwt } = config
  if (session.strategy === "database") {
    if (!store) throw new MissingAdapter({ hint: "Sessions in a database need an `adapter`." })
  } else if (jwt.secrets.length === 0 && !jwt.encode) {
    throw new MissingSecret({
      expected: "a `secret` in the configuration",
      hint: "Variables of the environment are not read here: give the secret in the configuration.",
    })
  }
}
