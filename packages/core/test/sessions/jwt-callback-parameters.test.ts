/** The parameters of the `jwt` callback at sign-in, and the token that it produces. */
import { decode } from "@latchkey/core/jwt"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  type PasswordAppConfig,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

type JwtCallback = NonNullable<NonNullable<PasswordAppConfig["callbacks"]>["jwt"]>

const createJwtSpy = () => vi.fn<JwtCallback>(({ token }) => ({ ...token }))

/** The parameters of a call, without those that are absent. */
function readCallParameters(
  jwt: ReturnType<typeof createJwtSpy>,
  call = 0,
): Record<string, unknown> {
  const [parameters] = jwt.mock.calls[call] ?? []
  return { ...parameters }
}

describe("at sign-in, the `jwt` callback receives", () => {
  test("with credentials: four claims, the user and the account", async () => {
    const jwt = createJwtSpy()
    const alice = await createPasswordApp({ callbacks: { jwt } }).openSignedInBrowser()
    expect(readCallParameters(jwt)).toEqual({
      token: { name: "ada", email: "ada@example.com", picture: null, sub: "user-ada" },
      user: { id: "user-ada", name: "ada", email: "ada@example.com", image: null },
      account: { provider: "credentials", type: "credentials", providerAccountId: "user-ada" },
      trigger: "signIn",
      isNewUser: false,
    })
    const token = await decode({ token: readSessionCookie(alice), secret, salt: sessionCookieName })
    expect(Object.keys(token ?? {}).sort()).toEqual([
      "email",
      "exp",
      "iat",
      "jti",
      "name",
      "picture",
      "sessionFacts",
      "signedInAt",
      "sub",
    ])
  })

  test("with a provider and no database: also profile and tokens", async () => {
    const provider = await createScriptedProvider()
    const jwt = createJwtSpy()
    const alice = createPasswordApp({
      providers: [provider.asOidc()],
      callbacks: { jwt },
    }).openBrowser()
    await alice.signIn(provider)
    expect(readCallParameters(jwt)).toMatchObject({
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
    expect(readCallParameters(jwt)).not.toHaveProperty("isNewUser")
    expect(readCallParameters(jwt)["token"]).toMatchObject({
      sub: (readCallParameters(jwt)["user"] as { id: string }).id,
    })
  })

  test("with a provider and a database: also whether the user is new", async () => {
    const provider = await createScriptedProvider({
      user: { sub: "grace", email: "grace@example.com" },
    })
    const jwt = createJwtSpy()
    const app = await createStoredPasswordApp({
      providers: [provider.asOidc()],
      session: { strategy: "jwt" },
      callbacks: { jwt },
    })
    const alice = app.openBrowser()
    await alice.signIn(provider)
    const user = await app.adapter.getUserByEmail("grace@example.com")
    expect(readCallParameters(jwt)).toMatchObject({
      trigger: "signUp",
      isNewUser: true,
      token: { sub: user?.id },
    })
    await alice.signIn(provider)
    expect(readCallParameters(jwt, 1)).toMatchObject({
      trigger: "signIn",
      isNewUser: false,
      user: { id: user?.id },
    })
    expect(app.countRows("Session")).toBe(0)
  })

  test("`sub` as a string, even if the database has numeric user ids", async () => {
    const provider = await createScriptedProvider()
    const jwt = createJwtSpy()
    const stored = await createStoredPasswordApp()
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
    const app = createPasswordApp({
      providers: [provider.asOidc()],
      session: { strategy: "jwt" },
      adapter,
      callbacks: { jwt },
    })
    const alice = app.openBrowser()
    await alice.signIn(provider)
    expect(readCallParameters(jwt)).toMatchObject({ token: { sub: "7" } })
    expect(await alice.getSession()).not.toBeNull()
  })
})
