import { type AuthConfig, serializeCookie } from "@latchkey/core"
import type { Account, User } from "@latchkey/core/types"
import { findOrCreateUser } from "./find-or-create-user.ts"
import { startTestSession } from "./start-test-session.ts"
import type { TestSessionConfig } from "./test-session-config.ts"
import type { TestSession, TestSessionOptions, TestUser } from "./types.ts"

/**
 * Signs somebody in without a provider, form or e-mail: returns a `Cookie` header with a session. Latchkey creates the
 * session as for a sign-in, from `secret`, `session`, `jwt`, `cookies`, `useSecureCookies`, `useHostPrefix`,
 * `callbacks.jwt` and `adapter` of the configuration. With an adapter, the user is created unless one with that id or
 * address exists. It sends no event, and does not call `callbacks.signIn`.
 *
 * It does not read the environment. To move the expiry, use `withFrozenTime(yesterday, () => createTestSession(…))`.
 *
 * @throws MissingSecret, MissingAdapter if the configuration lacks what its strategy needs; TypeError if the `jwt`
 *   callback returns no session or the user cannot be stored; errors of callback and adapter
 *
 * @example
 * const cookie = await createTestSession(config, { id: "1", name: "Ada", email: "ada@example.com" })
 * const response = await app(new Request("https://app.example/account", { headers: { cookie } }))
 */
export async function createTestSession(
  config: TestSessionConfig,
  user: TestUser,
  options: TestSessionOptions = {},
): Promise<string> {
  const { cookie } = await createTestSessionCookies(config, user, options)
  return cookie
}

/** Does the same as {@link createTestSession}, and returns all results. */
export async function createTestSessionCookies(
  config: TestSessionConfig,
  user: TestUser,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  // The interface is the same; only its parameter types differ between libraries.
  const authConfig = config as AuthConfig
  const sessionUser = authConfig.adapter
    ? await findOrCreateUser(authConfig.adapter, user)
    : ensureUserId(user)
  const { url, profile, isNewUser, level } = options
  const cookies = await startTestSession(
    authConfig,
    {
      user: sessionUser,
      account: createAccount(sessionUser, options),
      ...(profile && { profile }),
      ...(level === 2 && { factorTime: Math.floor(Date.now() / 1000) }),
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
    provider: "test",
    type: "credentials",
    providerAccountId: id,
    userId: id,
  } as const
  return { ...defaultAccount, ...account }
}
