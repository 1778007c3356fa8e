/** Adding an account to a sealed session: the `jwt` callback is asked first, because it may have revoked it. */
import { decode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { assertRefused, errorOf, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { people, secret, sessionCookie, storedPeople } from "../support/people.ts"

async function signedIn(jwt: (token: JWT) => JWT | null) {
  const provider = await scriptedProvider({ user: { sub: "second", email: "ada@second.example" } })
  const { providers } = people().config
  const app = await storedPeople({
    providers: [...providers, provider.asOidc()],
    session: { strategy: "jwt" },
    callbacks: { jwt: ({ token, trigger }) => (trigger ? token : jwt(token)) },
  })
  const alice = await app.signedIn()
  return {
    app,
    alice,
    provider,
    claims: () => decode({ token: sessionCookie(alice), secret, salt: sessionName }),
  }
}

const owner = (app: Awaited<ReturnType<typeof signedIn>>["app"], { id }: ScriptedProvider) =>
  app.adapter.getUserByAccount({ provider: id, providerAccountId: "second" })

test("a session that stands adds the account", async () => {
  const { app, alice, provider } = await signedIn((token) => token)
  const begun = await alice.begin(provider, { link: "true" })
  expect(errorOf(await alice.open(provider.approve(begun)))).toBeNull()
  expect(await owner(app, provider)).toMatchObject({ id: "user-ada" })
})

test("a session that the callback revoked adds nothing", async () => {
  let revoked = false
  const { app, alice, provider } = await signedIn((token) => (revoked ? null : token))
  const csrfToken = await alice.csrf()
  const begun = await alice.begin(provider, { link: "true" })
  revoked = true
  assertRefused(await alice.post("/auth/signin/scripted", { csrfToken, link: "true" }))
  assertRefused(await alice.open(provider.approve(begun)))
  expect(await owner(app, provider)).toBeNull()
})

test("a session that cannot be checked adds nothing, and stays", async () => {
  let broken = false
  const { app, alice, provider } = await signedIn((token) => {
    if (broken) throw new Error("down")
    return token
  })
  const csrfToken = await alice.csrf()
  broken = true
  const answer = await alice.post("/auth/signin/scripted", { csrfToken, link: "true" })
  expect(errorOf(answer)).toBe("Configuration")
  expect(await owner(app, provider)).toBeNull()
  broken = false
  expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
})

test("what the callback changed while it was asked is kept", async () => {
  let rotations = 0
  const { alice, provider, claims } = await signedIn((token) => ({
    ...token,
    refresh: ++rotations,
  }))
  await alice.csrf()
  await alice.begin(provider, { link: "true" })
  expect(rotations).toBeGreaterThan(0)
  expect(await claims()).toMatchObject({ refresh: rotations, sub: "user-ada" })
})

test("and does not stand in the way of the new session, however large either is", async () => {
  let size = 0
  const { alice, provider } = await signedIn((token) => ({ ...token, filling: "x".repeat(size) }))
  for (const [before, after] of [
    [9000, 0],
    [0, 9000],
  ] as const) {
    size = before
    await alice.session()
    const begun = await alice.begin(provider, { link: "true" })
    size = after
    const answer = await alice.open(provider.approve(begun))
    expect(errorOf(answer)).toBeNull()
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  }
})
