import { type AuthConfig, serializeCookie } from "@latchkey/core"
import { startSession } from "@latchkey/core/minting"
import type { Account, User } from "@latchkey/core/types"
import type { MintableConfig } from "./config.ts"
import { storedUser } from "./stored-user.ts"
import type { MintedSession, MintedUser, MintOptions } from "./types.ts"

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
export async function mintSession(
  config: MintableConfig,
  user: MintedUser,
  options: MintOptions = {},
): Promise<string> {
  const { cookie } = await mintSessionCookies(config, user, options)
  return cookie
}

/** The same as {@link mintSession}, with everything that came of it. */
export async function mintSessionCookies(
  config: MintableConfig,
  user: MintedUser,
  options: MintOptions = {},
): Promise<MintedSession> {
  // The contract is the same; only its parameter types differ from library to library.
  const written = config as AuthConfig
  const person = written.adapter ? await storedUser(written.adapter, user) : withId(user)
  const { url, profile, isNewUser } = options
  const cookies = await startSession(
    written,
    {
      user: person,
      account: accountOf(person, options),
      ...(profile && { profile }),
      ...((written.adapter || isNewUser !== undefined) && { isNewUser: isNewUser ?? false }),
    },
    url === undefined ? ["https://app.example", "http://app.example"] : [url],
  )
  const setCookies = cookies.map(serializeCookie)
  return {
    cookie: setCookies.map((line) => line.split(";", 1)[0]).join("; "),
    setCookies,
    user: person as MintedUser,
  }
}

function withId(user: MintedUser): MintedUser {
  return user.id === undefined ? { ...user, id: crypto.randomUUID() } : user
}

function accountOf({ id = "" }: User, { account }: MintOptions): Account {
  const own = {
    provider: "minted",
    type: "credentials",
    providerAccountId: id,
    userId: id,
  } as const
  return { ...own, ...account }
}
