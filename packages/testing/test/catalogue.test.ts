import { readFileSync } from "node:fs"
import type { Account } from "@latchkey/core/types"
import { errorOf, scriptedProvider, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { catalogue } from "./support/catalogue.ts"
import {
  attempt,
  configuration,
  expectLetIn,
  expectRefused,
  hurried,
  origin,
  visitorOf,
} from "./support/doors.ts"

const mallory = { sub: "mallory", name: "Mallory", email: "mallory@example.com" }
// Equal as a URL, and good enough to begin with and to be kept: found out when `iss` comes, which is another text.
const late = 'discovery: "issuer-trailing-slash"'

describe("a switch of the provider", () => {
  test.each(catalogue.map((fault) => [fault.case, fault.name, fault] as const))(
    "%i %s",
    async (_, name, { faults, outcome }) => {
      if (/"hang"|"endless"/.test(name)) hurried()
      const provider = await scriptedProvider()
      // Userinfo is asked for only where there is no ID token to be had.
      const idToken = faults.userinfo === undefined
      const config = configuration([provider.asOidc({ idToken })])
      const visitor = visitorOf(config)
      provider.misbehave(faults)
      const answer = await attempt(visitor, provider)
      if (outcome === "accepted") return expectLetIn(answer, visitor)
      await expectRefused(answer, visitor)
      if (faults.response !== undefined) expect(provider.tokenRequests).toEqual([])
      if (name === late) return
      if (faults.discovery !== undefined) {
        expect(provider.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
      }
      provider.behave()
      await expectLetIn(await attempt(visitor, provider), visitor)
    },
  )

  test("80 whatever the lifetime, the account gets a finite one or none", async () => {
    for (const fault of catalogue.filter((each) => each.case === 80)) {
      const provider = await scriptedProvider()
      const accounts: Account[] = []
      const visitor = visitorOf(
        configuration([provider.asOidc()], {
          callbacks: {
            jwt: ({ token, account }) => {
              if (account) accounts.push(account)
              return token
            },
          },
        }),
      )
      provider.misbehave(fault.faults)
      await attempt(visitor, provider)
      const [account] = accounts
      expect(account?.token_type).toBe("bearer")
      if ("expiresIn" in fault.faults) expect(account).not.toHaveProperty("expires_at")
      else expect(Number.isInteger(account?.expires_at)).toBe(true)
    }
  })

  test("64 ignorePkce: the nonce refuses an injected code", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({ ignorePkce: true, discovery: "pkce-missing" })
    const config = configuration([provider.asOidc()])
    const [alice, attacker] = [visitorOf(config), visitorOf(config)]
    const theirs = provider.approve(await attacker.begin(provider), { user: mallory })
    const own = provider.approve(await alice.begin(provider))
    own.parameters.set("code", theirs.parameters.get("code") ?? "")
    await expectRefused(await alice.open(own), alice)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("78 an email that is no text is left out", async () => {
    const provider = await scriptedProvider()
    provider.misbehave({
      idToken: ({ claims }) => {
        claims.email = 42
      },
    })
    const visitor = visitorOf(configuration([provider.asOidc()]))
    await attempt(visitor, provider)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace", email: null } })
  })
})

describe("what two browsers and two providers can do", () => {
  async function setting() {
    const provider = await scriptedProvider()
    const config = configuration([provider.asOidc()])
    return { provider, config, alice: visitorOf(config), mallory: visitorOf(config) }
  }

  test("62 a state of another browser, another deployment, or of long ago", async () => {
    const { provider, config, alice, mallory: stranger } = await setting()
    const begun = await alice.begin(provider)
    await expectRefused(await stranger.open(provider.approve(begun)), stranger)
    const elsewhere = visitorOf({ ...config, secret: "the secret of a quite different deployment" })
    for (const { raw } of alice.cookies) elsewhere.cookies.plant(origin, raw)
    await expectRefused(await elsewhere.open(provider.approve(begun)), elsewhere)
    const later = Date.now() + 901_000
    await withClock(later, async () => {
      await expectRefused(await alice.open(provider.approve(begun)), alice)
    })
    expect(provider.tokenRequests).toEqual([])
  })

  test("63 an attacker's code, in a browser with and without a sign-in of its own", async () => {
    const { provider, alice, mallory: attacker } = await setting()
    const own = provider.approve(await alice.begin(provider))
    const planted = provider.approve(await attacker.begin(provider), { user: mallory })
    await expectRefused(await alice.open(planted, { from: "https://evil.example" }), alice)
    await expectLetIn(await alice.open(own), alice)
  })

  test("65 an answer of one provider at the callback of another", async () => {
    const honest = await scriptedProvider({ id: "honest" })
    const evil = await scriptedProvider({ id: "evil", issuer: "https://evil.example" })
    const alice = visitorOf(configuration([honest.asOidc(), evil.asOidc()]))
    for (const iss of ["kept", "dropped"]) {
      const comeback = honest.approve(await alice.begin(honest))
      comeback.url.pathname = "/auth/callback/evil"
      if (iss === "dropped") comeback.parameters.delete("iss")
      await expectRefused(await alice.open(comeback), alice)
    }
    expect([...honest.tokenRequests, ...evil.tokenRequests]).toEqual([])
  })

  test("68 an error of the provider, whose words are not shown", async () => {
    const { provider, alice } = await setting()
    const denial = { error: "access_denied", error_description: "not in the mood" }
    const answer = await alice.open(provider.deny(await alice.begin(provider), denial))
    await expectRefused(answer, alice)
    expect(errorOf(answer)).toBe("OAuthCallbackError")
    expect(await (await alice.follow(answer)).text()).not.toContain("in the mood")
  })

  test("69 an answer that was used", async () => {
    const { provider, alice, mallory: thief } = await setting()
    const comeback = provider.approve(await alice.begin(provider))
    const cookies = [...alice.cookies].map(({ raw }) => raw)
    await alice.open(comeback)
    await alice.signOut()
    await expectRefused(await alice.open(comeback), alice)
    // With the cookies of then: the provider knows the code.
    for (const raw of cookies) thief.cookies.plant(origin, raw)
    await expectRefused(await thief.open(comeback), thief)
  })

  test("70 two tabs at once, which both complete", async () => {
    const { provider, alice } = await setting()
    const tabs = [await alice.begin(provider), await alice.begin(provider)]
    for (const tab of tabs.reverse()) {
      await expectLetIn(await alice.open(provider.approve(tab)), alice)
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

  test.each([...rows])("%i names its switches", (number, row = "") => {
    const switches = [...row.matchAll(/`(\w+)`: ([\w, -]+)/g)].flatMap(([, part, values = ""]) =>
      values.split(",").map((value) => `${part}: "${value.trim()}"`),
    )
    // Lifetimes and types are any value: there are no names of them.
    const own = catalogue.filter((each) => each.case === number && number !== 80)
    expect(switches.sort()).toEqual(own.map(({ name }) => name).sort())
  })
})
