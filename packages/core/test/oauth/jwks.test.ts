import {
  createScriptedProvider,
  createTestBrowser,
  type HostileJwks,
  hostileJwks,
  type ScriptedProvider,
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

type Jwk = Record<string, unknown>

/** Creates a provider with other keys: all providers begin with the same ones. */
async function createOtherProvider(): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider()
  await provider.rotateKeys()
  return provider
}

/** Reads the key set of a provider, as applications receive it. */
async function readKeys(provider: ScriptedProvider): Promise<Jwk[]> {
  const response = await provider.fetch(`${provider.issuer}/jwks`)
  return ((await response.json()) as { keys: Jwk[] }).keys
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

  test.each<[string, (keys: Jwk[], other: Jwk) => unknown[]]>([
    ["the same key twice", ([key]) => [key, key]],
    [
      "another key with the same id",
      ([key, ...keys], other) => [{ ...other, kid: key?.["kid"] }, key, ...keys],
    ],
    ["`key_ops` with `sign`", ([key]) => [{ ...key, key_ops: ["sign"] }]],
    ["`use` in capitals", ([key]) => [{ ...key, use: "SIG" }]],
    ["entries that are no keys", ([key]) => [null, "key", [], { kty: "unknown" }, key]],
  ])("may be listed as they are: %s", async (_, change) => {
    const { provider, alice } = await createSetup()
    const other = await createOtherProvider()
    const [otherKey = {}] = await readKeys(other)
    provider.injectFaults({ jwks: ({ keys }) => ({ keys: change(keys as Jwk[], otherKey) }) })
    await alice.signIn(provider)
    expect(await alice.getSession()).not.toBeNull()
  })

  test("may have no ids, and a token none: any key that fits is enough", async () => {
    const { provider, app, alice } = await createSetup()
    const other = await createOtherProvider()
    const withoutId = ({ kid: _, ...key }: Jwk) => key
    const others = (await readKeys(other)).map(withoutId)
    provider.injectFaults({
      jwks: ({ keys }) => ({ keys: [...others, ...(keys as Jwk[]).map(withoutId)] }),
      idToken: ({ header }) => void delete header["kid"],
    })
    await alice.signIn(provider)
    expect(await alice.getSession()).not.toBeNull()
    provider.injectFaults({
      jwks: () => ({ keys: [...others, ...others] }),
      idToken: ({ header }) => void delete header["kid"],
    })
    await withFrozenTime(Date.now() + 3_601_000, async () => {
      const bob = createTestBrowser(app.app)
      await bob.signIn(provider)
      expect(await bob.getSession()).toBeNull()
    })
  })

  test.each(["status-404", "status-500", "html", "keys-missing"] as const)(
    "cannot be fetched: that is an outage, not a wrong signature: %s",
    async (fault) => {
      const { provider, app, alice } = await createSetup()
      provider.injectFaults({ jwks: fault })
      const location = (await alice.signIn(provider)).headers.get("location") ?? ""
      expect(new URL(location).searchParams.get("reason")).toBe("unavailable")
      expect(app.readLog()).not.toContain("signed by a key")
    },
  )

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
