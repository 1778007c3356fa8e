import { type AuthConfig, serializeCookie } from "@latchkey/core"
import { startTestSession } from "@latchkey/core/test-sessions"
import type { Account, User } from "@latchkey/core/types"
import { findOrCreateUser } from "./find-or-create-user.ts"
import type { TestSessionConfig } from "./test-session-config.ts"
import type { TestSession, TestSessionOptions, TestUser } from "./types.ts"

/**
 * Signs somebody in without a provider, form or mail: gives the value of the `Cookie` header that makes the application
 * know them. The session is made by the library as at a sign-in, from what the configuration says of `secret`,
 * `session`, `jwt`, `cookies`, `useSecureCookies`, `callbacks.jwt` and `adapter`. With an adapter, the user is created
 * unless there is one with that id or address. No event is sent, and `callbacks.signIn` is not asked.
 *
 * Nothing is read from the environment. Its end can be moved: `withClock(yesterday, () => mintSession(…))`.
 *
 * @throws MissingSecret, MissingAdapter when the configuration lacks what its strategy needs, TypeError when the `jwt`
 *   callback gives out no session or the user cannot be stored; what callback and adapter throw
 *
 * @example
 * const cookie = await mintSession(config, { id: "1", name: "Ada", email: "ada@example.com" })
 * const answer = await app(new Request("https://app.example/account", { headers: { cookie } }))
 */
export async function createTestSession(
  config: TestSessionConfig,
  user: TestUser,
  options: TestSessionOptions = {},
): Promise<string> {
  const { cookie } = await createTestSessionCookies(config, user, options)
  return cookie
}

/** The same as {@link createTestSession}, with everything that came of it. */
export async function createTestSessionCookies(
  config: TestSessionConfig,
  user: TestUser,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  // The contract is the same; only its parameter types differ from library to library.
  const authConfig = config as AuthConfig
  const sessionUser = authConfig.adapter
    ? await findOrCreateUser(authConfig.adapter, user)
    : ensureUserId(user)
  const { url, profile, isNewUser } = options
  const cookies = await startTestSession(
    authConfig,
    {
      user: sessionUser,
      account: createAccount(sessionUser, options),
      ...(profile && { profile }),
      ...((authConfig.adapter || isNewUser !== undefined) && { isNewUser: isNewUser ?? false }),
    },
    url === undefined ? ["https://app.example", "http://app.example"] : [url],
  )
  const setCookies = cookies.map(serializeCookie)
  return {
    cookie: setCookies.map((line) => line.split(";", 1)[0]).join("; "),
    setCookieHeaders: setCookies,
    user: sessionUser as TestUser,
  }
}

function ensureUserId(user: TestUser): TestUser {
  return user.id === undefined ? { ...user, id: crypto.randomUUID() } : user
}

function createAccount({ id = "" }: User, { account }: TestSessionOptions): Account {
  const defaultAccount = {
    provider: "minted",
    type: "credentials",
    providerAccountId: id,
    userId: id,
  } as const
  return { ...defaultAccount, ...account }
}
