import { browser, type Comeback, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, type OAuthApp, oauthApp } from "../support/oauth-app.ts"

interface Two {
  readonly honest: ScriptedProvider
  readonly evil: ScriptedProvider
  readonly at: OAuthApp
}

const kinds = ["asOidc", "asOAuth"] as const

async function two(kind: (typeof kinds)[number]): Promise<Two> {
  const honest = await scriptedProvider({ id: "honest" })
  const evil = await scriptedProvider({ id: "evil", issuer: "https://evil.example" })
  return { honest, evil, at: await oauthApp([honest[kind](), evil[kind]()]) }
}

/** The answer, taken to the callback of another provider. */
function takenTo(id: string, comeback: Comeback): Comeback {
  comeback.url.pathname = `/auth/callback/${id}`
  return comeback
}

/** The codes of a provider that another one was sent. */
function leaked(from: ScriptedProvider, to: ScriptedProvider): string[] {
  return from.secrets.filter((secret) =>
    to.requests.some(({ text, url }) => `${url} ${text}`.includes(secret)),
  )
}

describe.each(kinds)("two providers (%s)", (kind) => {
  test.each(["with iss", "without iss"])(
    "65 refuses the answer of one at the callback of the other, %s",
    async (how) => {
      const { honest, evil, at } = await two(kind)
      const alice = browser(at.app)
      const comeback = takenTo("evil", honest.approve(await alice.begin(honest)))
      if (how === "without iss") comeback.parameters.delete("iss")
      await alice.open(comeback)
      const again = takenTo("evil", honest.approve(await alice.begin(honest)))
      if (how === "without iss") again.parameters.delete("iss")
      await expectNothingCameOfIt(await alice.open(again), alice, at, honest)
      expect(evil.tokenRequests).toEqual([])
      expect(honest.tokenRequests).toEqual([])
    },
  )

  test("65 refuses an answer that carries the state of a sign-in with the other", async () => {
    const { honest, evil, at } = await two(kind)
    const alice = browser(at.app)
    const withEvil = await alice.begin(evil)
    // The evil provider sends the browser on to the honest one, with its own state.
    const forwarded = await browser(at.app).begin(honest)
    forwarded.searchParams.set("state", withEvil.searchParams.get("state") ?? "")
    const comeback = honest.approve(forwarded)
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, honest)
    expect(honest.tokenRequests).toEqual([])
    expect(leaked(honest, evil)).toEqual([])
  })

  test("65 never sends the code of one to the other, whose state the answer has", async () => {
    const { honest, evil, at } = await two(kind)
    const alice = browser(at.app)
    const withEvil = await alice.begin(evil)
    const forwarded = await browser(at.app).begin(honest)
    forwarded.searchParams.set("state", withEvil.searchParams.get("state") ?? "")
    forwarded.searchParams.set("redirect_uri", "https://app.example/auth/callback/evil")
    const comeback = honest.approve(forwarded)
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, honest)
    expect(leaked(honest, evil)).toEqual([])
  })
})
