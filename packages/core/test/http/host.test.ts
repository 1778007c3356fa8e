/** Security cases 18, 19 and 24: whose host it is. */
import { Auth, setEnvDefaults } from "@latchkey/core"
import type { AuthAction, PublicProvider } from "@latchkey/core/types"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { all } from "../pages-markup.ts"
import {
  ask,
  bareSite,
  home,
  post,
  rightWord,
  type SiteConfig,
  site,
} from "../support/front-door.ts"

const actions: AuthAction[] = [
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
]
const withProvider = ["signin", "callback", "webauthn-options"].map((name) => `${name}/credentials`)

/** The same site, whose developer says nothing about the host. */
function untrusting({ config: { trustHost: _, ...config } }: { config: SiteConfig }): SiteConfig {
  return config
}

describe("18 a host that is not trusted", () => {
  test.each([...actions, ...withProvider])("18 refuses %s, whatever the method", async (route) => {
    const site = bareSite()
    for (const method of ["GET", "POST"]) {
      const answer = await ask(untrusting(site), `/auth/${route}`, { method })
      expect(answer.status).toBe(500)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(new Set(site.log.errors)).toEqual(new Set(["UntrustedHost"]))
  })

  test("18 lets nobody in who knows the word", async () => {
    const site = bareSite()
    let config = site.config
    const alice = browser((request) => Auth(request, config))
    const csrfToken = await alice.csrf()
    config = untrusting(site)
    const answer = await alice.post("/auth/callback/credentials", { csrfToken, ...rightWord })
    expect(answer.status).toBe(500)
    expect(alice.setCookies).toEqual([])
  })

  test("18 shows no session that was valid before", async () => {
    const site = bareSite()
    let config = site.config
    const alice = browser((request) => Auth(request, config))
    await alice.signIn("credentials", rightWord)
    config = untrusting(site)
    const answer = await alice.fetch("/auth/session")
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain("Ada")
  })

  test.each(["false", "0"])("18 AUTH_TRUST_HOST=%s does not trust it", async (AUTH_TRUST_HOST) => {
    const config = untrusting(bareSite())
    setEnvDefaults({ AUTH_TRUST_HOST }, config)
    expect((await ask(config, "/auth/session")).status).toBe(500)
  })
})

describe("19 headers that name another host", () => {
  const lies = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-port": "8443",
    "x-forwarded-prefix": "/evil",
    "x-original-host": "evil.example",
    "x-original-url": "https://evil.example/auth/session",
    "x-rewrite-url": "/evil",
    forwarded: "host=evil.example;proto=http",
    referer: "https://evil.example/",
  }

  test("19 change no address that the core writes", async () => {
    const { config, provider } = await site()
    const ordinary = await ask(config, "/auth/providers")
    const lied = await ask(config, "/auth/providers", { headers: lies })
    const list: Record<string, PublicProvider> = await lied.json()
    expect(list).toEqual(await ordinary.json())
    expect(list["scripted"]?.callbackUrl).toBe(`${home}/auth/callback/scripted`)

    const alice = browser(bareSite({ providers: [provider.asOidc()] }).app, { headers: lies })
    const begun = await alice.begin(provider)
    expect(begun.searchParams.get("redirect_uri")).toBe(`${home}/auth/callback/scripted`)
  })

  test("19 change no page, no cookie and no place to go", async () => {
    const { config } = bareSite()
    for (const action of ["signin", "signout", "error", "verify-request"]) {
      const answer = await ask(config, `/auth/${action}`, { headers: lies })
      const page = await answer.text()
      expect(page).not.toContain("evil")
      const actionUrls = all(page, "form").map(({ attributes }) => attributes.get("action"))
      for (const url of actionUrls) expect(url).toMatch(`${home}/auth/`)
      const cookies = answer.headers.getSetCookie()
      expect(cookies.length).toBeGreaterThan(0)
      for (const cookie of cookies) expect(cookie).toMatch(/^__(?:Host|Secure)-.*; Secure/)
    }
    const refused = await post(config, "/auth/signin", {}, lies)
    expect(new URL(refused.headers.get("location") ?? "").origin).toBe(home)
  })

  test("19 the link in a mail names the host of the request's URL", async () => {
    const { config, links } = await site()
    const alice = browser((request) => Auth(request, config), { headers: lies })
    const csrfToken = await alice.csrf()
    await alice.post("/auth/signin/email", { csrfToken, email: "ada@example.com" })
    expect(links.map((link) => new URL(link).origin)).toEqual([home])
  })
})

describe("24 one process under several hosts", () => {
  const hosts = ["https://one.example", "https://two.example", "http://three.example:8080"]

  test("24 no request's host is used for another one, at the same time or later", async () => {
    const { config, app, provider, links } = await site()
    const visitors = hosts.map((origin) => browser(app, { origin }))
    for (const round of [1, 2]) {
      await Promise.all(
        visitors.map(async (visitor) => {
          const { origin } = visitor
          const begun = await visitor.begin(provider, { callbackUrl: `/home-${round}` })
          expect(begun.searchParams.get("redirect_uri")).toBe(`${origin}/auth/callback/scripted`)
          const answer = await visitor.open(provider.approve(begun))
          expect(answer.headers.get("location")).toBe(`${origin}/home-${round}`)
          await visitor.signIn("email", { email: `${new URL(origin).hostname}@example.com` })
          const list = await (await app(new Request(`${origin}/auth/providers`))).text()
          for (const other of hosts) expect(list.includes(other)).toBe(other === origin)
        }),
      )
    }
    const sent = links.map((link) => new URL(link))
    for (const link of sent) expect(link.searchParams.get("email")).toMatch(link.hostname)
    expect(sent).toHaveLength(hosts.length * 2)
    expect(config.trustHost).toBe(true)
  })
})
