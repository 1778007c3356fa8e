import {
  browser,
  type HostileJwks,
  hostileJwks,
  scriptedProvider,
  withClock,
} from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

const home = "https://app.example"

async function setting() {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOidc())
  return { provider, at, alice: browser(at.app) }
}

describe("the provider's keys", () => {
  for (const fault of Object.keys(hostileJwks) as HostileJwks[]) {
    test(`74 nobody gets in without them: ${fault}`, async () => {
      const { provider, at, alice } = await setting()
      provider.misbehave({ jwks: fault })
      await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
      provider.behave()
      const answer = await alice.signIn(provider)
      expect(answer.headers.get("location")).toBe(home)
    })
  }

  test("74 nobody gets in with keys that came beside an error", async () => {
    const { provider, at, alice } = await setting()
    provider.answer(
      "jwks",
      async (_, honest) => new Response((await honest()).body, { status: 503 }),
    )
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("85 are fetched once for many sign-ins, as is the metadata", async () => {
    const { provider, at } = await setting()
    for (let person = 0; person < 5; person += 1) await browser(at.app).signIn(provider)
    expect(provider.tokenRequests).toHaveLength(5)
    expect(provider.jwksRequests).toHaveLength(1)
    expect(provider.discoveryRequests).toHaveLength(1)
  })

  test("85 are fetched once for many sign-ins at once", async () => {
    const { provider, at } = await setting()
    await Promise.all(Array.from({ length: 5 }, () => browser(at.app).signIn(provider)))
    expect(provider.tokenRequests).toHaveLength(5)
    expect(provider.jwksRequests).toHaveLength(1)
    expect(provider.discoveryRequests).toHaveLength(1)
  })

  test("85 are asked for again after an hour", async () => {
    const { provider, at } = await setting()
    await browser(at.app).signIn(provider)
    await withClock(Date.now() + 3_601_000, () => browser(at.app).signIn(provider))
    expect(provider.jwksRequests).toHaveLength(2)
    expect(provider.discoveryRequests).toHaveLength(2)
  })

  test("74 may change: a new one is fetched when a token names it", async () => {
    const { provider, at } = await setting()
    await browser(at.app).signIn(provider)
    await provider.rotateKeys()
    const answer = await browser(at.app).signIn(provider)
    expect(answer.headers.get("location")).toBe(home)
    expect(provider.jwksRequests).toHaveLength(2)
  })

  test("74 may change: one fetch serves all who sign in at once", async () => {
    const { provider, at } = await setting()
    await browser(at.app).signIn(provider)
    await provider.rotateKeys()
    const people = Array.from({ length: 5 }, () => browser(at.app))
    provider.answer("jwks", async () => {
      // The new keys take until everybody waits for them.
      await vi.waitUntil(() => provider.tokenRequests.length === 6)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return undefined
    })
    const answers = await Promise.all(people.map((person) => person.signIn(provider)))
    expect(answers.map(({ headers }) => headers.get("location"))).toEqual(people.map(() => home))
    expect(provider.jwksRequests).toHaveLength(2)
  })

  test("74 may overlap: the old one stays good beside the new one", async () => {
    const { provider, at } = await setting()
    await provider.rotateKeys({ keepOld: true })
    const answer = await browser(at.app).signIn(provider)
    expect(answer.headers.get("location")).toBe(home)
    expect(provider.jwksRequests).toHaveLength(1)
  })

  test("74 an old one is no good once it has left the set", async () => {
    const { provider, at } = await setting()
    const kept: { sign?: (input: string) => unknown; kid?: unknown } = {}
    provider.misbehave({
      idToken: (parts) => {
        kept.sign ??= parts.sign
        kept.kid ??= parts.header.kid
      },
    })
    await browser(at.app).signIn(provider)
    await provider.rotateKeys()
    await browser(at.app).signIn(provider)
    const { sign, kid } = kept
    provider.misbehave({
      idToken: (parts) => {
        parts.sign = sign as typeof parts.sign
        parts.header.kid = kid
      },
    })
    const mallory = browser(at.app)
    const answer = await mallory.signIn(provider)
    expect(answer.headers.get("location")).not.toBe(home)
    expect(await mallory.session()).toBeNull()
  })

  test("74 unknown ones cause one more fetch, and no more for a while", async () => {
    const { provider, at } = await setting()
    const alice = browser(at.app)
    provider.misbehave({ idToken: "kid-unknown" })
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    }
    expect(provider.jwksRequests).toHaveLength(2)
    await withClock(Date.now() + 31_000, () => alice.signIn(provider))
    expect(provider.jwksRequests).toHaveLength(3)
  })

  test("74 a fetch for an unknown one that fails does not lose those that are known", async () => {
    const { provider, at } = await setting()
    await browser(at.app).signIn(provider)
    provider.misbehave({ idToken: "kid-unknown", jwks: "status-500" })
    await browser(at.app).signIn(provider)
    provider.behave()
    provider.misbehave({ jwks: "status-500" })
    const answer = await browser(at.app).signIn(provider)
    expect(answer.headers.get("location")).toBe(home)
  })
})
