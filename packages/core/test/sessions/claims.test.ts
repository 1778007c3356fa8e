/** What the `jwt` callback is asked when a session begins, and what the token then holds. */
import { decode } from "@latchkey/core/jwt"
import { scriptedProvider } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, secret, sessionCookie, storedPeople } from "../support/people.ts"

type Jwt = NonNullable<NonNullable<Config["callbacks"]>["jwt"]>

const watched = () => vi.fn<Jwt>(({ token }) => ({ ...token }))

/** The parameters of a call, without those that are not there. */
function asked(jwt: ReturnType<typeof watched>, call = 0): Record<string, unknown> {
  const [parameters] = jwt.mock.calls[call] ?? []
  return { ...parameters }
}

describe("at sign-in the `jwt` callback is asked", () => {
  test("with credentials: four claims, the user and the account", async () => {
    const jwt = watched()
    const alice = await people({ callbacks: { jwt } }).signedIn()
    expect(asked(jwt)).toEqual({
      token: { name: "ada", email: "ada@example.com", picture: null, sub: "user-ada" },
      user: { id: "user-ada", name: "ada", email: "ada@example.com", image: null },
      account: { provider: "credentials", type: "credentials", providerAccountId: "user-ada" },
      trigger: "signIn",
      isNewUser: false,
    })
    const token = await decode({ token: sessionCookie(alice), secret, salt: sessionName })
    expect(Object.keys(token ?? {}).sort()).toEqual(
      ["email", "exp", "iat", "jti", "name", "picture", "sub"].sort(),
    )
  })

  test("with a provider and no database: profile and tokens, too", async () => {
    const provider = await scriptedProvider()
    const jwt = watched()
    const alice = people({ providers: [provider.asOidc()], callbacks: { jwt } }).browser()
    await alice.signIn(provider)
    expect(asked(jwt)).toMatchObject({
      token: { name: "Ada Lovelace", email: "ada@example.com" },
      account: {
        provider: "scripted",
        type: "oidc",
        providerAccountId: "ada",
        token_type: "bearer",
      },
      profile: { sub: "ada", email_verified: true },
      trigger: "signIn",
    })
    expect(asked(jwt)).not.toHaveProperty("isNewUser")
    expect(asked(jwt)["token"]).toMatchObject({ sub: (asked(jwt)["user"] as { id: string }).id })
  })

  test("with a provider and a database: whether the user is new", async () => {
    const provider = await scriptedProvider({ user: { sub: "grace", email: "grace@example.com" } })
    const jwt = watched()
    const app = await storedPeople({
      providers: [provider.asOidc()],
      session: { strategy: "jwt" },
      callbacks: { jwt },
    })
    const alice = app.browser()
    await alice.signIn(provider)
    const user = await app.adapter.getUserByEmail("grace@example.com")
    expect(asked(jwt)).toMatchObject({
      trigger: "signUp",
      isNewUser: true,
      token: { sub: user?.id },
    })
    await alice.signIn(provider)
    expect(asked(jwt, 1)).toMatchObject({
      trigger: "signIn",
      isNewUser: false,
      user: { id: user?.id },
    })
    expect(app.count("Session")).toBe(0)
  })

  test("and `sub` is text, also where a database counts its users", async () => {
    const provider = await scriptedProvider()
    const jwt = watched()
    const stored = await storedPeople()
    const counted = 7 as unknown as string
    const adapter = {
      ...stored.adapter,
      getUserByEmail: () => null,
      createUser: (user: Parameters<typeof stored.adapter.createUser>[0]) => ({
        ...user,
        id: counted,
      }),
      createUserWithAccount: (user: Parameters<typeof stored.adapter.createUser>[0]) => ({
        ...user,
        id: counted,
      }),
      linkAccount: () => null,
    }
    const app = people({
      providers: [provider.asOidc()],
      session: { strategy: "jwt" },
      adapter,
      callbacks: { jwt },
    })
    const alice = app.browser()
    await alice.signIn(provider)
    expect(asked(jwt)).toMatchObject({ token: { sub: "7" } })
    expect(await alice.session()).not.toBeNull()
  })
})
