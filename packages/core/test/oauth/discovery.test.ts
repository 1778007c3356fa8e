import {
  assertRefused,
  browser,
  type HostileDiscovery,
  hostileDiscoveries,
  type OddDiscovery,
  oddDiscoveries,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, expectSecretsUnlogged, oauthApp } from "../support/oauth-app.ts"

const home = "https://app.example"

async function setting() {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOidc())
  return { provider, at, alice: browser(at.app) }
}

type Setting = Awaited<ReturnType<typeof setting>>

/** Presses the button of the provider; the answer may be a refusal. */
async function press({ alice, provider }: Setting): Promise<Response> {
  const csrfToken = await alice.csrf()
  return alice.post(alice.path(`signin/${provider.id}`), { csrfToken })
}

describe("a discovery document", () => {
  // Equal as a URL, and so good enough to begin with (protocol reference 4.2); `iss` has to be the same text.
  const late: HostileDiscovery = "issuer-trailing-slash"
  const faults = (Object.keys(hostileDiscoveries) as HostileDiscovery[]).filter(
    (fault) => fault !== late,
  )
  for (const fault of faults) {
    test(`84 is refused: ${fault}`, async () => {
      const set = await setting()
      set.provider.misbehave({ discovery: fault })
      await expectNothingCameOfIt(await press(set), set.alice, set.at, set.provider)
      expect(set.provider.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
    })

    test(`85 is asked for again after: ${fault}`, async () => {
      const set = await setting()
      set.provider.misbehave({ discovery: fault })
      assertRefused(await press(set))
      set.provider.behave()
      const answer = await set.alice.signIn(set.provider)
      expect(answer.headers.get("location")).toBe(home)
    })
  }

  test(`84 lets nobody in whose iss is not the text that it has: ${late}`, async () => {
    const { provider, at, alice } = await setting()
    provider.misbehave({ discovery: late })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  for (const oddity of Object.keys(oddDiscoveries) as OddDiscovery[]) {
    test(`84 is good enough: ${oddity}`, async () => {
      const { provider, at, alice } = await setting()
      provider.misbehave({ discovery: oddity })
      const answer = await alice.signIn(provider)
      expect(answer.headers.get("location")).toBe(home)
      expectSecretsUnlogged(at, provider)
    })
  }

  test("84 is looked for below an issuer with a path, with and without slash at its end", async () => {
    for (const issuer of ["https://idp.example/tenant", "https://idp.example/tenant/"]) {
      const provider = await scriptedProvider({ issuer })
      const alice = browser((await oauthApp(provider.asOidc())).app)
      const answer = await alice.signIn(provider)
      expect(answer.headers.get("location")).toBe(home)
      expect(provider.discoveryRequests.map(({ url }) => url.href)).toEqual([
        "https://idp.example/tenant/.well-known/openid-configuration",
      ])
    }
  })

  test("84 of another tenant of the same host is refused", async () => {
    const provider = await scriptedProvider({ issuer: "https://idp.example/ours" })
    const at = await oauthApp(provider.asOidc())
    const set = { provider, at, alice: browser(at.app) }
    provider.misbehave({
      discovery: (honest) => ({ ...honest, issuer: "https://idp.example/theirs" }),
    })
    await expectNothingCameOfIt(await press(set), set.alice, at, provider)
  })
})

describe("endpoints that a discovery document names", () => {
  const nearby = [
    "localhost",
    "localhost.",
    "app.localhost",
    "127.0.0.1",
    "127.9.9.9",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::a00:1]",
    "[64:ff9b:1::1]",
    "[fc00::1]",
    "[fdff::1]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
  ]
  test.each(nearby)("84 are refused at a private address: %s", async (host) => {
    const set = await setting()
    set.provider.misbehave({
      discovery: (honest) => ({ ...honest, token_endpoint: `https://${host}/token` }),
    })
    assertRefused(await press(set))
    expect(set.provider.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
  })

  const public_ = [
    "login.example",
    "localhost.example",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "169.253.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.167.0.1",
    "192.0.1.1",
    "198.17.0.1",
    "198.20.0.1",
    "223.255.255.254",
    "[2606:4700::1111]",
    "[2001:4860:4860::8888]",
    "[3fff::1]",
  ]
  test.each(public_)("84 are taken at a public address: %s", async (host) => {
    const set = await setting()
    set.provider.misbehave({
      discovery: (honest) => ({ ...honest, token_endpoint: `https://${host}/token` }),
    })
    const answer = await press(set)
    expect(answer.headers.get("location")).toMatch(/^https:\/\/idp\.example\/authorize/)
  })

  test("84 may be on this machine when the issuer is", async () => {
    const provider = await scriptedProvider({ issuer: "https://localhost:9443" })
    const alice = browser((await oauthApp(provider.asOidc())).app)
    expect((await alice.begin(provider)).host).toBe("localhost:9443")
  })
})
