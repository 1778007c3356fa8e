import {
  type AuthorizationResponse,
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused, type OAuthApp } from "../support/oauth-app.ts"

interface TwoProviders {
  readonly honest: ScriptedProvider
  readonly evil: ScriptedProvider
  readonly app: OAuthApp
}

const kinds = ["asOidc", "asOAuth"] as const

async function createTwoProviders(kind: (typeof kinds)[number]): Promise<TwoProviders> {
  const honest = await createScriptedProvider({ id: "honest" })
  const evil = await createScriptedProvider({ id: "evil", issuer: "https://evil.example" })
  return { honest, evil, app: await createOAuthApp([honest[kind](), evil[kind]()]) }
}

/** The authorization response, sent to the callback of another provider. */
function redirectCallback(id: string, comeback: AuthorizationResponse): AuthorizationResponse {
  comeback.url.pathname = `/auth/callback/${id}`
  return comeback
}

/** The codes of one provider that were sent to another. */
function findLeakedCodes(from: ScriptedProvider, to: ScriptedProvider): string[] {
  return from.secrets.filter((secret) =>
    to.requests.some(({ text, url }) => `${url} ${text}`.includes(secret)),
  )
}

describe.each(kinds)("two providers (%s)", (kind) => {
  test.each(["with iss", "without iss"])(
    "refuses the response of one at the callback of the other, %s",
    async (how) => {
      const { honest, evil, app } = await createTwoProviders(kind)
      const alice = createTestBrowser(app.app)
      const comeback = redirectCallback("evil", honest.approve(await alice.startSignIn(honest)))
      if (how === "without iss") comeback.parameters.delete("iss")
      await alice.open(comeback)
      const again = redirectCallback("evil", honest.approve(await alice.startSignIn(honest)))
      if (how === "without iss") again.parameters.delete("iss")
      await expectSignInRefused(await alice.open(again), alice, app, honest)
      expect(evil.tokenRequests).toEqual([])
      expect(honest.tokenRequests).toEqual([])
    },
  )

  test("refuses a response with the state of a sign-in with the other", async () => {
    const { honest, evil, app } = await createTwoProviders(kind)
    const alice = createTestBrowser(app.app)
    const withEvil = await alice.startSignIn(evil)
    // The malicious provider redirects the browser to the honest one, with its own state.
    const forwarded = await createTestBrowser(app.app).startSignIn(honest)
    forwarded.searchParams.set("state", withEvil.searchParams.get("state") ?? "")
    const comeback = honest.approve(forwarded)
    await expectSignInRefused(await alice.open(comeback), alice, app, honest)
    expect(honest.tokenRequests).toEqual([])
    expect(findLeakedCodes(honest, evil)).toEqual([])
  })

  test("never sends the code of one to the other, whose state the response has", async () => {
    const { honest, evil, app } = await createTwoProviders(kind)
    const alice = createTestBrowser(app.app)
    const withEvil = await alice.startSignIn(evil)
    const forwarded = await createTestBrowser(app.app).startSignIn(honest)
    forwarded.searchParams.set("state", withEvil.searchParams.get("state") ?? "")
    forwarded.searchParams.set("redirect_uri", "https://app.example/auth/callback/evil")
    const comeback = honest.approve(forwarded)
    await expectSignInRefused(await alice.open(comeback), alice, app, honest)
    expect(findLeakedCodes(honest, evil)).toEqual([])
  })
})
