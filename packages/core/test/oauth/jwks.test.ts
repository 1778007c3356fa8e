import {
  createScriptedProvider,
  createTestBrowser,
  type HostileJwks,
  hostileJwks,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"

async function createSetup() {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc())
  return { provider, app, alice: createTestBrowser(app.app) }
}

describe("the provider's keys", () => {
  for (const fault of Object.keys(hostileJwks) as HostileJwks[]) {
    test(`are required for every sign-in: ${fault}`, async () => {
      const { provider, app, alice } = await createSetup()
      provider.injectFaults({ jwks: fault })
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
      provider.clearFaults()
      const response = await alice.signIn(provider)
      expect(response.headers.get("location")).toBe(home)
    })
  }

  test("are ignored in an error response", async () => {
    const { provider, app, alice } = await createSetup()
    provider.overrideEndpoint(
      "jwks",
      async (_, honest) => new Response((await honest()).body, { status: 503 }),
    )
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  test("are fetched once for many sign-ins, like the metadata", async () => {
    const { provider, app } = await createSetup()
    for (let person = 0; person < 5; person += 1) await createTestBrowser(app.app).signIn(provider)
    expect(provider.tokenRequests).toHaveLength(5)
    expect(provider.jwksRequests).toHaveLength(1)
    expect(provider.discoveryRequests).toHaveLength(1)
  })

  test("are fetched once for many concurrent sign-ins", async () => {
    const { provider, app } = await createSetup()
    await Promise.all(Array.from({ length: 5 }, () => createTestBrowser(app.app).signIn(provider)))
    expect(provider.tokenRequests).toHaveLength(5)
    expect(provider.jwksRequests).toHaveLength(1)
    expect(provider.discoveryRequests).toHaveLength(1)
  })

  test("are fetched again after an hour", async () => {
    const { provider, app } = await createSetup()
    await createTestBrowser(app.app).signIn(provider)
    await withFrozenTime(Date.now() + 3_601_000, () => createTestBrowser(app.app).signIn(provider))
    expect(provider.jwksRequests).toHaveLength(2)
    expect(provider.discoveryRequests).toHaveLength(2)
  })

  test("can change: a new key is fetched if a token names it", async () => {
    const { provider, app } = await createSetup()
    await createTestBrowser(app.app).signIn(provider)
    await provider.rotateKeys()
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe(home)
    expect(provider.jwksRequests).toHaveLength(2)
  })

  test("can change: concurrent sign-ins share one fetch", async () => {
    const { provider, app } = await createSetup()
    await createTestBrowser(app.app).signIn(provider)
    await provider.rotateKeys()
    const people = Array.from({ length: 5 }, () => createTestBrowser(app.app))
    provider.overrideEndpoint("jwks", async () => {
      // The new keys arrive only when all sign-ins wait for them.
      await vi.waitUntil(() => provider.tokenRequests.length === 6, 10_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return undefined
    })
    const responses = await Promise.all(people.map((person) => person.signIn(provider)))
    expect(responses.map(({ headers }) => headers.get("location"))).toEqual(people.map(() => home))
    expect(provider.jwksRequests).toHaveLength(2)
  })

  test("can overlap: the old key remains valid while it is in the set", async () => {
    const { provider, app } = await createSetup()
    await provider.rotateKeys({ keepOld: true })
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe(home)
    expect(provider.jwksRequests).toHaveLength(1)
  })

  test("no longer include an old key after it left the set", async () => {
    const { provider, app } = await createSetup()
    const kept: { sign?: (input: string) => unknown; kid?: unknown } = {}
    provider.injectFaults({
      idToken: (parts) => {
        kept.sign ??= parts.sign
        kept.kid ??= parts.header.kid
      },
    })
    await createTestBrowser(app.app).signIn(provider)
    await provider.rotateKeys()
    await createTestBrowser(app.app).signIn(provider)
    const { sign, kid } = kept
    provider.injectFaults({
      idToken: (parts) => {
        parts.sign = sign as typeof parts.sign
        parts.header.kid = kid
      },
    })
    const mallory = createTestBrowser(app.app)
    const response = await mallory.signIn(provider)
    expect(response.headers.get("location")).not.toBe(home)
    expect(await mallory.getSession()).toBeNull()
  })

  test("are fetched once more for unknown keys, and then not for a while", async () => {
    const { provider, app } = await createSetup()
    const alice = createTestBrowser(app.app)
    provider.injectFaults({ idToken: "kid-unknown" })
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    }
    expect(provider.jwksRequests).toHaveLength(2)
    await withFrozenTime(Date.now() + 31_000, () => alice.signIn(provider))
    expect(provider.jwksRequests).toHaveLength(3)
  })

  test("are kept if fetching an unknown key fails", async () => {
    const { provider, app } = await createSetup()
    await createTestBrowser(app.app).signIn(provider)
    provider.injectFaults({ idToken: "kid-unknown", jwks: "status-500" })
    await createTestBrowser(app.app).signIn(provider)
    provider.clearFaults()
    provider.injectFaults({ jwks: "status-500" })
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe(home)
  })
})
