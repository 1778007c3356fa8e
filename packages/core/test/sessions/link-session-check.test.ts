/** Linking an account in a JWT session: the `jwt` callback runs first, because it may revoke the session. */
import { decode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import {
  assertRefused,
  createScriptedProvider,
  getRedirectError,
  type ScriptedProvider,
} from "@latchkey/testing"
import { expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import {
  createPasswordApp,
  createStoredPasswordApp,
  readSessionCookie,
  secret,
} from "../support/password-app.ts"

async function createSignedInApp(jwt: (token: JWT) => JWT | null) {
  const provider = await createScriptedProvider({
    user: { sub: "second", email: "ada@second.example" },
  })
  const { providers } = createPasswordApp().config
  const app = await createStoredPasswordApp({
    providers: [...providers, provider.asOidc()],
    session: { strategy: "jwt" },
    callbacks: { jwt: ({ token, trigger }) => (trigger ? token : jwt(token)) },
  })
  const alice = await app.openSignedInBrowser()
  return {
    app,
    alice,
    provider,
    claims: () => decode({ token: readSessionCookie(alice), secret, salt: sessionCookieName }),
  }
}

const findAccountOwner = (
  app: Awaited<ReturnType<typeof createSignedInApp>>["app"],
  { id }: ScriptedProvider,
) => app.adapter.getUserByAccount({ provider: id, providerAccountId: "second" })

test("a valid session links the account", async () => {
  const { app, alice, provider } = await createSignedInApp((token) => token)
  const authorizationUrl = await alice.startSignIn(provider, { link: "true" })
  expect(getRedirectError(await alice.open(provider.approve(authorizationUrl)))).toBeNull()
  expect(await findAccountOwner(app, provider)).toMatchObject({ id: "user-ada" })
})

test("a session that the callback revoked links nothing", async () => {
  let revoked = false
  const { app, alice, provider } = await createSignedInApp((token) => (revoked ? null : token))
  const csrfToken = await alice.getCsrfToken()
  const authorizationUrl = await alice.startSignIn(provider, { link: "true" })
  revoked = true
  assertRefused(await alice.post("/auth/signin/scripted", { csrfToken, link: "true" }))
  assertRefused(await alice.open(provider.approve(authorizationUrl)))
  expect(await findAccountOwner(app, provider)).toBeNull()
})

test("a session that cannot be checked links nothing, and remains valid", async () => {
  let broken = false
  const { app, alice, provider } = await createSignedInApp((token) => {
    if (broken) throw new Error("down")
    return token
  })
  const csrfToken = await alice.getCsrfToken()
  broken = true
  const response = await alice.post("/auth/signin/scripted", { csrfToken, link: "true" })
  expect(getRedirectError(response)).toBe("Configuration")
  expect(await findAccountOwner(app, provider)).toBeNull()
  broken = false
  expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
})

test("changes that the callback makes during the check are kept", async () => {
  let rotations = 0
  const { alice, provider, claims } = await createSignedInApp((token) => ({
    ...token,
    refresh: ++rotations,
  }))
  await alice.getCsrfToken()
  await alice.startSignIn(provider, { link: "true" })
  expect(rotations).toBeGreaterThan(0)
  expect(await claims()).toMatchObject({ refresh: rotations, sub: "user-ada" })
})

test("these changes do not prevent the new session, however large either is", async () => {
  let size = 0
  const { alice, provider } = await createSignedInApp((token) => ({
    ...token,
    filling: "x".repeat(size),
  }))
  for (const [before, after] of [
    [8000, 0],
    [0, 8000],
  ] as const) {
    size = before
    await alice.getSession()
    const authorizationUrl = await alice.startSignIn(provider, { link: "true" })
    size = after
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(getRedirectError(response)).toBeNull()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  }
})
