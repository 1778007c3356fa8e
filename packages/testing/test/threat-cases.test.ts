import { readFileSync } from "node:fs"
import type { Account } from "@latchkey/core/types"
import { createScriptedProvider, getRedirectError, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import {
  createBrowser,
  createConfig,
  expectRefused,
  expectSignedIn,
  origin,
  shortenTimeouts,
  signInWithProvider,
} from "./support/test-application.ts"
import { threatCases } from "./support/threat-cases.ts"

const malloryUser = { sub: "mallory", name: "Mallory", email: "mallory@example.com" }
// Equal as a URL, and good enough to begin with and to be kept: found out when `iss` comes, which is another text.
const issuerMismatchFoundLate = 'discovery: "issuer-trailing-slash"'

describe("a fault of the provider", () => {
  test.each(threatCases.map((fault) => [fault.case, fault.name, fault] as const))(
    "%i %s",
    async (_, name, { faults, outcome }) => {
      if (/"hang"|"endless"/.test(name)) shortenTimeouts()
      const provider = await createScriptedProvider()
      // Userinfo is requested only if there is no ID token.
      const idToken = faults.userinfo === undefined
      const config = createConfig([provider.asOidc({ idToken })])
      const browser = createBrowser(config)
      provider.injectFaults(faults)
      const response = await signInWithProvider(browser, provider)
      if (outcome === "accepted") return expectSignedIn(response, browser)
      await expectRefused(response, browser)
      if (faults.response !== undefined) expect(provider.tokenRequests).toEqual([])
      if (name === issuerMismatchFoundLate) return
      if (faults.discovery !== undefined) {
        expect(provider.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
      }
      provider.clearFaults()
      vi.unstubAllGlobals()
      await expectSignedIn(await signInWithProvider(browser, provider), browser)
    },
  )

  test("the account gets a finite lifetime or none", async () => {
    for (const fault of threatCases.filter((each) => each.case === 80)) {
      const provider = await createScriptedProvider()
      const accounts: Account[] = []
      const browser = createBrowser(
        createConfig([provider.asOidc()], {
          callbacks: {
            jwt: ({ token, account }) => {
              if (account) accounts.push(account)
              return token
            },
          },
        }),
      )
      provider.injectFaults(fault.faults)
      await signInWithProvider(browser, provider)
      const [account] = accounts
      expect(account?.token_type).toBe("bearer")
      if ("expiresIn" in fault.faults) expect(account).not.toHaveProperty("expires_at")
      else expect(Number.isInteger(account?.expires_at)).toBe(true)
    }
  })

  test("the nonce prevents code injection if the provider ignores PKCE", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({ ignorePkce: true, discovery: "pkce-missing" })
    const config = createConfig([provider.asOidc()])
    const [alice, attacker] = [createBrowser(config), createBrowser(config)]
    const attackerResponse = provider.approve(await attacker.startSignIn(provider), {
      user: malloryUser,
    })
    const aliceResponse = provider.approve(await alice.startSignIn(provider))
    aliceResponse.parameters.set("code", attackerResponse.parameters.get("code") ?? "")
    await expectRefused(await alice.open(aliceResponse), alice)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("an email that is not text is omitted", async () => {
    const provider = await createScriptedProvider()
    provider.injectFaults({
      idToken: ({ claims }) => {
        claims.email = 42
      },
    })
    const browser = createBrowser(createConfig([provider.asOidc()]))
    await signInWithProvider(browser, provider)
    expect(await browser.getSession()).toMatchObject({
      user: { name: "Ada Lovelace", email: null },
    })
  })
})

describe("attacks with two browsers or two providers", () => {
  async function createFixture() {
    const provider = await createScriptedProvider()
    const config = createConfig([provider.asOidc()])
    return { provider, config, alice: createBrowser(config), mallory: createBrowser(config) }
  }

  test("a state of another browser or deployment, or an old one, is refused", async () => {
    const { provider, config, alice, mallory: stranger } = await createFixture()
    const authorizationUrl = await alice.startSignIn(provider)
    await expectRefused(await stranger.open(provider.approve(authorizationUrl)), stranger)
    const otherDeployment = createBrowser({
      ...config,
      secret: "the secret of a quite different deployment",
    })
    for (const { raw } of alice.cookies) otherDeployment.cookies.setUnchecked(origin, raw)
    await expectRefused(
      await otherDeployment.open(provider.approve(authorizationUrl)),
      otherDeployment,
    )
    const later = Date.now() + 901_000
    await withFrozenTime(later, async () => {
      await expectRefused(await alice.open(provider.approve(authorizationUrl)), alice)
    })
    expect(provider.tokenRequests).toEqual([])
  })

  test("an attacker's code is refused, with and without a pending sign-in", async () => {
    const { provider, alice, mallory: attacker } = await createFixture()
    const aliceResponse = provider.approve(await alice.startSignIn(provider))
    const attackerResponse = provider.approve(await attacker.startSignIn(provider), {
      user: malloryUser,
    })
    await expectRefused(await alice.open(attackerResponse, { from: "https://evil.example" }), alice)
    await expectSignedIn(await alice.open(aliceResponse), alice)
  })

  test("a response of one provider is refused at the callback of another", async () => {
    const honest = await createScriptedProvider({ id: "honest" })
    const evil = await createScriptedProvider({ id: "evil", issuer: "https://evil.example" })
    const alice = createBrowser(createConfig([honest.asOidc(), evil.asOidc()]))
    for (const iss of ["kept", "dropped"]) {
      const response = honest.approve(await alice.startSignIn(honest))
      response.url.pathname = "/auth/callback/evil"
      if (iss === "dropped") response.parameters.delete("iss")
      await expectRefused(await alice.open(response), alice)
    }
    expect([...honest.tokenRequests, ...evil.tokenRequests]).toEqual([])
  })

  test("an error of the provider is refused, and its text is not shown", async () => {
    const { provider, alice } = await createFixture()
    const denial = { error: "access_denied", error_description: "not in the mood" }
    const response = await alice.open(provider.deny(await alice.startSignIn(provider), denial))
    await expectRefused(response, alice)
    expect(getRedirectError(response)).toBe("OAuthCallbackError")
    expect(await (await alice.followRedirect(response)).text()).not.toContain("in the mood")
  })

  test("a response that was already used is refused", async () => {
    const { provider, alice, mallory: thief } = await createFixture()
    const response = provider.approve(await alice.startSignIn(provider))
    const cookies = [...alice.cookies].map(({ raw }) => raw)
    await alice.open(response)
    await alice.signOut()
    await expectRefused(await alice.open(response), alice)
    // With the cookies of that time, because the provider knows the code.
    for (const raw of cookies) thief.cookies.setUnchecked(origin, raw)
    await expectRefused(await thief.open(response), thief)
  })

  test("two concurrent sign-ins in two tabs succeed", async () => {
    const { provider, alice } = await createFixture()
    const tabs = [await alice.startSignIn(provider), await alice.startSignIn(provider)]
    for (const tab of tabs.reverse()) {
      await expectSignedIn(await alice.open(provider.approve(tab)), alice)
    }
  })
})

describe("the table in the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const rows = new Map(
    [...readme.matchAll(/^\| (\d\d) \|(.*)\|$/gm)].map(([, number, row]) => [Number(number), row]),
  )

  test("has every case from 62 to 84, and no other", () => {
    expect([...rows.keys()]).toEqual(Array.from({ length: 23 }, (_, index) => 62 + index))
  })

  test.each([...rows])("case %i lists its faults", (number, row = "") => {
    const switches = [...row.matchAll(/`(\w+)`: ([\w, -]+)/g)].flatMap(([, part, values = ""]) =>
      values.split(",").map((value) => `${part}: "${value.trim()}"`),
    )
    // Lifetimes and types can have any value, so they have no names.
    const cases = threatCases.filter((each) => each.case === number && number !== 80)
    expect(switches.sort()).toEqual(cases.map(({ name }) => name).sort())
  })
})
