/** A configuration is never changed, and two configurations share no state. */
import { Auth, createAuth, customFetch } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createDatabaseAdapter,
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

/** Freezes plain data recursively. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key))
  return Object.freeze(value)
}

/** Copies plain data recursively. Functions stay the same. */
function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  const made: object = Array.isArray(value) ? [] : {}
  for (const key of Reflect.ownKeys(value))
    Reflect.set(made, key, deepCopy(Reflect.get(value, key)))
  return made as T // has the keys and values of `value`
}

/** Runs every action of a site. */
async function useEveryFeature(
  alice: TestBrowser,
  { config, provider, links }: Awaited<ReturnType<typeof createTestSite>>,
) {
  for (const action of ["providers", "signin", "signout", "error", "verify-request", "session"]) {
    await alice.open(`/auth/${action}`)
  }
  await alice.signIn(provider)
  await alice.updateSession({ name: "Countess" })
  await alice.signOut()
  await alice.signIn("email", { email: "ada@example.com" })
  await alice.open(links.at(-1) ?? "")
  await alice.signIn("credentials", validCredentials)
  await alice.signIn("credentials", { ...validCredentials, word: "wrong" })
  await sendRequest(config, "/auth/nothing")
}

describe("the configuration", () => {
  test.each(["jwt", "database"] as const)(
    "is not changed by any action, with strategy %s",
    async (strategy) => {
      const made = await createTestSite({
        session: { strategy },
        pages: { newUser: "/welcome" },
        cookies: { state: { options: { maxAge: 60 } } },
        theme: { brandColor: "#123456" },
      })
      const [provider, ...others] = made.config.providers
      const nested = {
        ...provider,
        checks: ["pkce", "state"],
        authorization: { params: { prompt: "login" } },
        options: { authorization: { params: { scope: "openid email" } } },
      } as TestSiteConfig["providers"][number]
      const config = { ...made.config, providers: [nested, ...others] }
      const before = deepCopy(config)
      deepFreeze(config)

      const alice = createTestBrowser((request) => Auth(request, config))
      await useEveryFeature(alice, { ...made, config })
      await useEveryFeature(createTestBrowser(createAuth(config).handle), { ...made, config })

      expect(config).toEqual(before)
      expect(made.provider.authorizationRequests[0]?.get("scope")).toBe("openid email")
      expect(made.log.errorCodes).not.toContain("TypeError")
    },
  )

  test("is not changed if it is invalid", async () => {
    const config = { ...createMinimalSite({ secret: "" }).config }
    const before = deepCopy(config)
    deepFreeze(config)
    expect((await sendRequest(config, "/auth/session")).status).toBe(500)
    expect(config).toEqual(before)
  })

  test("keeps the `fetch` function under its symbol", async () => {
    const provider = await createScriptedProvider()
    const written = deepFreeze(provider.asOidc())
    const alice = createMinimalSite({ providers: [written] }).openBrowser()
    await alice.signIn(provider)
    expect(written[customFetch]).toBe(provider.fetch)
    expect(provider.tokenRequests).toHaveLength(1)
  })
})

describe("two configurations in one process", () => {
  const twoSites = async () => {
    const one = createMinimalSite({ secret: "the secret of the first of two sites" })
    const two = createMinimalSite({
      secret: "the secret of the second of two sites",
      basePath: "/two",
    })
    let current: TestSiteConfig = one.config
    const alice = createTestBrowser((request) => Auth(request, current))
    await alice.signIn("credentials", validCredentials)
    const turn = () => {
      current = two.config
    }
    return { one, two, alice, turn }
  }

  test("accept only their own sessions", async () => {
    const { two, alice, turn } = await twoSites()
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    turn()
    const response = await alice.fetch("/two/session")
    expect(await response.text()).toBe("null")
    expect(two.log.errorCodes).toEqual(["JWTSessionError"])
  })

  test("accept only their own forms", async () => {
    const { alice, turn } = await twoSites()
    const csrfToken = await alice.getCsrfToken()
    turn()
    const response = await alice.post("/two/callback/credentials", {
      csrfToken,
      ...validCredentials,
    })
    expect(response.headers.get("location")).toBe(`${siteOrigin}/two/signin?error=MissingCSRF`)
  })

  test("use their own base paths, in any order", async () => {
    const { one, two } = await twoSites()
    for (const order of [
      [one, two],
      [two, one],
    ]) {
      for (const { config } of order) {
        const prefix = config.basePath ?? "/auth"
        expect((await sendRequest(config, `${prefix}/session`)).status).toBe(200)
        const other = prefix === "/two" ? "/auth" : "/two"
        expect((await sendRequest(config, `${other}/session`)).status).toBe(400)
      }
    }
  })

  test("share neither providers nor pages nor logs", async () => {
    const first = await createScriptedProvider({ id: "first", issuer: "https://first.example" })
    const second = await createScriptedProvider({ id: "second", issuer: "https://second.example" })
    const adapter = await createDatabaseAdapter()
    const one = createMinimalSite({
      providers: [first.asOidc()],
      pages: { signIn: "/one" },
      adapter,
    })
    const two = createMinimalSite({ providers: [second.asOidc()] })
    await Promise.all([one.openBrowser().signIn(first), two.openBrowser().signIn(second)])
    expect([first.tokenRequests.length, second.tokenRequests.length]).toEqual([1, 1])
    expect(first.requests.length + second.requests.length).toBe(6)

    const list = await (await sendRequest(two.config, "/auth/providers")).text()
    expect(list).not.toContain("first")
    expect((await sendRequest(two.config, "/auth/signin")).status).toBe(200)
    await sendRequest(one.config, "/auth/nothing")
    expect([one.log.errorCodes, two.log.errorCodes]).toEqual([["UnknownAction"], []])
  })

  test("with one provider object ask the provider under their own client", async () => {
    const provider = await createScriptedProvider()
    const written = provider.asOidc()
    const one = createMinimalSite({
      providers: [{ ...written, options: { clientId: "latchkey-client" } }],
    })
    const two = createMinimalSite({ providers: [{ ...written, options: { clientId: "another" } }] })
    await one.openBrowser().signIn(provider)
    const authorizationUrl = await two.openBrowser().startSignIn(provider)
    expect(authorizationUrl.searchParams.get("client_id")).toBe("another")
  })
})
