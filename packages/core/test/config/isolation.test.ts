/** Security case 26: a configuration is read and never written to, and knows nothing of another one. */
import { Auth, createAuth, customFetch } from "@latchkey/core"
import { type Browser, browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  ask,
  bareSite,
  databaseAdapter,
  home,
  rightWord,
  type SiteConfig,
  site,
} from "../support/front-door.ts"

/** Freezes all that can be reached; what is not plain data is left alone. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  for (const key of Reflect.ownKeys(value)) frozen(Reflect.get(value, key))
  return Object.freeze(value)
}

/** A copy of all that can be reached; functions are the same ones. */
function copy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  const made: object = Array.isArray(value) ? [] : {}
  for (const key of Reflect.ownKeys(value)) Reflect.set(made, key, copy(Reflect.get(value, key)))
  return made as T // has the keys and values of `value`
}

/** Everything that somebody can do at a site. */
async function visit(
  alice: Browser,
  { config, provider, links }: Awaited<ReturnType<typeof site>>,
) {
  for (const action of ["providers", "signin", "signout", "error", "verify-request", "session"]) {
    await alice.open(`/auth/${action}`)
  }
  await alice.signIn(provider)
  await alice.update({ name: "Countess" })
  await alice.signOut()
  await alice.signIn("email", { email: "ada@example.com" })
  await alice.open(links.at(-1) ?? "")
  await alice.signIn("credentials", rightWord)
  await alice.signIn("credentials", { ...rightWord, word: "wrong" })
  await ask(config, "/auth/nothing")
}

describe("26 the configuration", () => {
  test.each(["jwt", "database"] as const)(
    "26 is not changed by anything that happens, sessions in %s",
    async (strategy) => {
      const made = await site({
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
      } as SiteConfig["providers"][number]
      const config = { ...made.config, providers: [nested, ...others] }
      const before = copy(config)
      frozen(config)

      const alice = browser((request) => Auth(request, config))
      await visit(alice, { ...made, config })
      await visit(browser(createAuth(config).handle), { ...made, config })

      expect(config).toEqual(before)
      expect(made.provider.authorizationRequests[0]?.get("scope")).toBe("openid email")
      expect(made.log.errors).not.toContain("TypeError")
    },
  )

  test("26 is not changed when it is broken either", async () => {
    const config = { ...bareSite({ secret: "" }).config }
    const before = copy(config)
    frozen(config)
    expect((await ask(config, "/auth/session")).status).toBe(500)
    expect(config).toEqual(before)
  })

  test("26 keeps the function that makes requests, which is not among its names", async () => {
    const provider = await scriptedProvider()
    const written = frozen(provider.asOidc())
    const alice = bareSite({ providers: [written] }).visitor()
    await alice.signIn(provider)
    expect(written[customFetch]).toBe(provider.fetch)
    expect(provider.tokenRequests).toHaveLength(1)
  })
})

describe("26 two configurations in one process", () => {
  const twoSites = async () => {
    const one = bareSite({ secret: "the secret of the first of two sites" })
    const two = bareSite({ secret: "the secret of the second of two sites", basePath: "/two" })
    let current: SiteConfig = one.config
    const alice = browser((request) => Auth(request, current))
    await alice.signIn("credentials", rightWord)
    const turn = () => {
      current = two.config
    }
    return { one, two, alice, turn }
  }

  test("26 accept nobody's session but their own", async () => {
    const { two, alice, turn } = await twoSites()
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
    turn()
    const answer = await alice.fetch("/two/session")
    expect(await answer.text()).toBe("null")
    expect(two.log.errors).toEqual(["JWTSessionError"])
  })

  test("26 accept nobody's form but their own", async () => {
    const { alice, turn } = await twoSites()
    const csrfToken = await alice.csrf()
    turn()
    const answer = await alice.post("/two/callback/credentials", { csrfToken, ...rightWord })
    expect(answer.headers.get("location")).toBe(`${home}/two/signin?error=MissingCSRF`)
  })

  test("26 answer under their own base path, whichever was asked first", async () => {
    const { one, two } = await twoSites()
    for (const order of [
      [one, two],
      [two, one],
    ]) {
      for (const { config } of order) {
        const prefix = config.basePath ?? "/auth"
        expect((await ask(config, `${prefix}/session`)).status).toBe(200)
        const other = prefix === "/two" ? "/auth" : "/two"
        expect((await ask(config, `${other}/session`)).status).toBe(400)
      }
    }
  })

  test("26 share neither providers nor pages nor a log", async () => {
    const first = await scriptedProvider({ id: "first", issuer: "https://first.example" })
    const second = await scriptedProvider({ id: "second", issuer: "https://second.example" })
    const adapter = await databaseAdapter()
    const one = bareSite({ providers: [first.asOidc()], pages: { signIn: "/one" }, adapter })
    const two = bareSite({ providers: [second.asOidc()] })
    await Promise.all([one.visitor().signIn(first), two.visitor().signIn(second)])
    expect([first.tokenRequests.length, second.tokenRequests.length]).toEqual([1, 1])
    expect(first.requests.length + second.requests.length).toBe(6)

    const list = await (await ask(two.config, "/auth/providers")).text()
    expect(list).not.toContain("first")
    expect((await ask(two.config, "/auth/signin")).status).toBe(200)
    await ask(one.config, "/auth/nothing")
    expect([one.log.errors, two.log.errors]).toEqual([["UnknownAction"], []])
  })

  test("26 with one provider object ask the provider under their own client", async () => {
    const provider = await scriptedProvider()
    const written = provider.asOidc()
    const one = bareSite({ providers: [{ ...written, options: { clientId: "latchkey-client" } }] })
    const two = bareSite({ providers: [{ ...written, options: { clientId: "another" } }] })
    await one.visitor().signIn(provider)
    const begun = await two.visitor().begin(provider)
    expect(begun.searchParams.get("client_id")).toBe("another")
  })
})
