import { customFetch } from "@latchkey/core"
import {
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  type HostileDiscoveryDocument,
  hostileDiscoveryDocuments,
  type UnusualDiscoveryDocument,
  unusualDiscoveryDocuments,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"

async function createSetup() {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc())
  return { provider, app, alice: createTestBrowser(app.app) }
}

type Setup = Pick<Awaited<ReturnType<typeof createSetup>>, "alice" | "provider">

/** Submits the provider's sign-in form; the response may be an error. */
async function beginSignIn({ alice, provider }: Setup): Promise<Response> {
  const csrfToken = await alice.getCsrfToken()
  return alice.post(alice.getRoutePath(`signin/${provider.id}`), { csrfToken })
}

describe("a discovery document", () => {
  // Equal as a URL, which discovery accepts (protocol reference 4.2); `iss` has to be the same text.
  const late: HostileDiscoveryDocument = "issuer-trailing-slash"
  const faults = (Object.keys(hostileDiscoveryDocuments) as HostileDiscoveryDocument[]).filter(
    (fault) => fault !== late,
  )
  for (const fault of faults) {
    test(`is refused: ${fault}`, async () => {
      const set = await createSetup()
      set.provider.injectFaults({ discovery: fault })
      await expectSignInRefused(await beginSignIn(set), set.alice, set.app, set.provider)
      expect(set.provider.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
    })

    test(`is requested again after: ${fault}`, async () => {
      const set = await createSetup()
      set.provider.injectFaults({ discovery: fault })
      assertRefused(await beginSignIn(set))
      set.provider.clearFaults()
      const response = await set.alice.signIn(set.provider)
      expect(response.headers.get("location")).toBe(home)
    })
  }

  test(`is refused if \`iss\` of the ID token is not exactly its issuer: ${late}`, async () => {
    const { provider, app, alice } = await createSetup()
    provider.injectFaults({ discovery: late })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  for (const oddity of Object.keys(unusualDiscoveryDocuments) as UnusualDiscoveryDocument[]) {
    test(`is accepted: ${oddity}`, async () => {
      const { provider, app, alice } = await createSetup()
      provider.injectFaults({ discovery: oddity })
      const response = await alice.signIn(provider)
      expect(response.headers.get("location")).toBe(home)
      expectNoSecretsLogged(app, provider)
    })
  }

  test("is requested below an issuer with a path, with and without a trailing slash", async () => {
    for (const issuer of ["https://idp.example/tenant", "https://idp.example/tenant/"]) {
      const provider = await createScriptedProvider({ issuer })
      const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
      const response = await alice.signIn(provider)
      expect(response.headers.get("location")).toBe(home)
      expect(provider.discoveryRequests.map(({ url }) => url.href)).toEqual([
        "https://idp.example/tenant/.well-known/openid-configuration",
      ])
    }
  })

  test("of another tenant of the same host is refused", async () => {
    const provider = await createScriptedProvider({ issuer: "https://idp.example/ours" })
    const app = await createOAuthApp(provider.asOidc())
    const set = { provider, app, alice: createTestBrowser(app.app) }
    provider.injectFaults({
      discovery: (honest) => ({ ...honest, issuer: "https://idp.example/theirs" }),
    })
    await expectSignInRefused(await beginSignIn(set), set.alice, app, provider)
  })
})

describe("a configured `wellKnown`", () => {
  const wellKnown = "https://idp.example/v1/metadata"
  const own = "https://idp.example/.well-known/openid-configuration"

  /** `respond` answers at `wellKnown`, the provider everywhere else. */
  async function createMovedSetup(respond: () => Response | Promise<Response>) {
    const provider = await createScriptedProvider()
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      urls.push(String(input))
      return String(input) === wellKnown ? respond() : provider.fetch(input, init)
    }
    const app = await createOAuthApp(provider.asOidc({ wellKnown, [customFetch]: fetch }))
    return { provider, app, alice: createTestBrowser(app.app), urls }
  }

  test.each<[string, () => Response | Promise<Response>]>([
    ["is not found", () => new Response(null, { status: 404 })],
    ["is down", () => new Response("Later", { status: 503 })],
    ["has moved", () => Response.redirect("https://idp.example/login")],
    ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
  ])("that %s is replaced by the document of the issuer", async (_, respond) => {
    const { provider, app, alice, urls } = await createMovedSetup(respond)
    const response = await alice.signIn(provider)
    expect(response.headers.get("location"), app.readLog()).toBe(home)
    expect(urls.slice(0, 2)).toEqual([wellKnown, own])
  })

  test("that fails does not make a document of another issuer acceptable", async () => {
    const set = await createMovedSetup(() => new Response(null, { status: 404 }))
    set.provider.injectFaults({ discovery: "issuer-other" })
    await expectSignInRefused(await beginSignIn(set), set.alice, set.app, set.provider)
    expect(set.urls).toEqual([wellKnown, own])
  })

  test("of another issuer is refused", async () => {
    const set = await createMovedSetup(() => Response.json({ issuer: "https://other.example" }))
    await expectSignInRefused(await beginSignIn(set), set.alice, set.app, set.provider)
    expect(set.urls).toEqual([wellKnown])
  })

  test("is the only document that is requested if it works", async () => {
    const { app, alice, provider, urls } = await createMovedSetup(async () => provider.fetch(own))
    await alice.signIn(provider)
    expect(await alice.getSession(), app.readLog()).toMatchObject({
      user: { name: "Ada Lovelace" },
    })
    expect(urls).not.toContain(own)
  })
})

describe("endpoints from a discovery document", () => {
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
  test.each(nearby)("are refused with a private address: %s", async (host) => {
    const set = await createSetup()
    set.provider.injectFaults({
      discovery: (honest) => ({ ...honest, token_endpoint: `https://${host}/token` }),
    })
    assertRefused(await beginSignIn(set))
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
  test.each(public_)("are accepted with a public address: %s", async (host) => {
    const set = await createSetup()
    set.provider.injectFaults({
      discovery: (honest) => ({ ...honest, token_endpoint: `https://${host}/token` }),
    })
    const response = await beginSignIn(set)
    expect(response.headers.get("location")).toMatch(/^https:\/\/idp\.example\/authorize/)
  })

  test("can be on this machine if the issuer is", async () => {
    const provider = await createScriptedProvider({ issuer: "https://localhost:9443" })
    const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
    expect((await alice.startSignIn(provider)).host).toBe("localhost:9443")
  })
})
