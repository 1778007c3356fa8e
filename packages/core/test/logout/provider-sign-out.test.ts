/** `signOut` that also ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0). */
import { createAuth } from "@latchkey/core"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { decodeJwt } from "jose"
import { describe, expect, test, vi } from "vitest"
import { createRecordingAdapter } from "../support/logout-app.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

type AppChanges = NonNullable<Parameters<typeof createOAuthApp>[1]>

const origin = "https://app.example"
const returnUri = `${origin}/auth/logout/scripted`

async function signIn(
  changes: AppChanges = {},
  definition: object = {},
  others: readonly ScriptedProvider[] = [],
) {
  const provider = await createScriptedProvider()
  const providers = [provider.asOidc(definition), ...others.map((other) => other.asOidc())]
  const app = await createOAuthApp(providers, changes)
  const alice = createTestBrowser(app.app)
  await alice.signIn(provider)
  expect(await alice.getSession()).not.toBeNull()
  return { provider, app, alice }
}

/** Signs out at the provider, too, and returns where the browser is sent. */
async function signOutThere(
  browser: TestBrowser,
  fields: Record<string, string> = {},
): Promise<URL> {
  const response = await browser.signOut({ callbackUrl: "/bye", federated: "true", ...fields })
  return new URL(response.headers.get("location") ?? "")
}

const listLogoutCookies = ({ cookies }: TestBrowser) =>
  cookies.names.filter((name) => /^__Host-authjs\.state-logout\.[\w-]{16}$/.test(name))

async function expectPlainSignOut(browser: TestBrowser, target: URL): Promise<void> {
  expect(target.href).toBe(`${origin}/bye`)
  expect(await browser.getSession()).toBeNull()
  expect(listLogoutCookies(browser)).toEqual([])
}

/** A configuration without a database. */
const sealed = { adapter: undefined, session: { strategy: "jwt" } } as unknown as AppChanges
const keepsIdToken = {
  adapter: undefined,
  session: { strategy: "jwt", keepIdToken: true },
} as unknown as AppChanges

describe("a sign-out at the provider", () => {
  test("ends the session here, and leads to the provider and back", async () => {
    const { provider, app, alice } = await signIn()
    const target = await signOutThere(alice)
    expect(app.readRows("Session")).toEqual([])
    expect(await alice.getSession()).toBeNull()
    expect(target.href.split("?")[0]).toBe("https://idp.example/logout")
    const { state, id_token_hint = "", ...others } = Object.fromEntries(target.searchParams)
    expect(others).toEqual({
      client_id: provider.clientId,
      post_logout_redirect_uri: returnUri,
    })
    expect(decodeJwt(id_token_hint)).toMatchObject({ sub: "ada", aud: provider.clientId })
    expect(listLogoutCookies(alice)).toHaveLength(1)
    const back =
      (await provider.fetch(target, { redirect: "manual" })).headers.get("location") ?? ""
    expect(back).toBe(`${returnUri}?state=${state}`)
    const returned = await alice.open(back, { from: provider.issuer })
    expect(returned.headers.get("location")).toBe(`${origin}/bye`)
    expect(returned.headers.get("cache-control")).toContain("no-store")
    expect(listLogoutCookies(alice)).toEqual([])
  })

  test("leads back once, and nowhere else than the sign-out wanted", async () => {
    const { app, alice } = await signIn()
    const state = (await signOutThere(alice)).searchParams.get("state")
    const open = async (query: string, browser = alice) =>
      (await browser.open(`/auth/logout/scripted${query}`)).headers.get("location")
    expect(await open(`?state=${state}`, createTestBrowser(app.app))).toBe(origin)
    expect(await open("")).toBe(origin)
    expect(await open("?state=")).toBe(origin)
    expect(await open("?state=another&callbackUrl=https://evil.example")).toBe(origin)
    expect(await open(`?state=${state}&callbackUrl=https://evil.example`)).toBe(`${origin}/bye`)
    expect(await open(`?state=${state}`)).toBe(origin)
  })

  test("does not lead back through another provider", async () => {
    const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
    const { alice } = await signIn({}, {}, [other])
    const state = (await signOutThere(alice)).searchParams.get("state")
    const response = await alice.open(`/auth/logout/other?state=${state}`)
    expect(response.headers.get("location")).toBe(origin)
  })

  test.each(["https://evil.example/", "//evil.example", "javascript:alert(1)"])(
    "returns to no other site: %s",
    async (callbackUrl) => {
      const { alice } = await signIn()
      const state = (await signOutThere(alice, { callbackUrl })).searchParams.get("state")
      const response = await alice.open(`/auth/logout/scripted?state=${state}`)
      expect(response.headers.get("location")).toBe(origin)
    },
  )

  test("does not return to an action, which might sign out again", async () => {
    const { alice } = await signIn()
    const callbackUrl = "/auth/signout?federated=true"
    const state = (await signOutThere(alice, { callbackUrl })).searchParams.get("state")
    const response = await alice.open(`/auth/logout/scripted?state=${state}`)
    expect(response.headers.get("location")).toBe(origin)
  })

  test("needs the CSRF token of the session", async () => {
    const { alice } = await signIn()
    const response = await alice.post("/auth/signout", { federated: "true" }, { from: origin })
    expect(response.headers.get("location")).toContain("error=MissingCSRF")
    expect(await alice.getSession()).not.toBeNull()
  })

  test("sends the ID token of an account whose tokens are encrypted", async () => {
    const { alice, app } = await signIn({ encryptTokens: true })
    expect(String(app.readRows("Account")[0]?.["id_token"])).not.toMatch(/^eyJ/)
    const hint = (await signOutThere(alice)).searchParams.get("id_token_hint") ?? ""
    expect(decodeJwt(hint)).toMatchObject({ sub: "ada" })
  })

  test("sends no ID token that would make the URL too long", async () => {
    const provider = await createScriptedProvider({
      user: { sub: "ada", groups: Array.from({ length: 400 }, (_, index) => `group-${index}`) },
    })
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    const target = await signOutThere(alice)
    expect(target.searchParams.has("id_token_hint")).toBe(false)
    expect(target.searchParams.get("client_id")).toBe(provider.clientId)
  })

  test("goes to the endpoint of the provider's definition, and keeps its parameters", async () => {
    const end_session_endpoint = "https://idp.example/end?realm=a"
    const { alice } = await signIn({}, { end_session_endpoint })
    const target = await signOutThere(alice)
    expect(target.pathname).toBe("/end")
    expect(target.searchParams.get("realm")).toBe("a")
    expect(target.searchParams.get("post_logout_redirect_uri")).toBe(returnUri)
  })

  test("is what the link to the sign-out page chooses", async () => {
    const { provider, alice } = await signIn()
    const page = await alice.open("/auth/signout?federated=true&callbackUrl=/bye")
    const [, action = ""] = /<form action="([^"]+)"/.exec(await page.text()) ?? []
    const response = await alice.post(action, { csrfToken: await alice.getCsrfToken() })
    expect(new URL(response.headers.get("location") ?? "").origin).toBe(provider.issuer)
  })

  test("is what server code chooses", async () => {
    const { app, alice, provider } = await signIn()
    const auth = createAuth(app.config)
    const cookie = [...alice.cookies].map(({ raw }) => raw.split(";", 1)[0]).join("; ")
    const { redirect, cookies } = await auth.signOut(
      { headers: new Headers({ cookie }), url: `${origin}/settings` },
      { redirectTo: "/bye", federated: true },
    )
    const target = new URL(redirect)
    expect(target.origin).toBe(provider.issuer)
    expect(target.searchParams.get("post_logout_redirect_uri")).toBe(returnUri)
    expect(cookies.map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^__Host-authjs\.state-logout\./),
    )
  })

  test("sends the event once", async () => {
    const events = { signOut: vi.fn() }
    const { alice } = await signIn({ events })
    await signOutThere(alice)
    expect(events.signOut).toHaveBeenCalledOnce()
  })
})

describe("a session without a database", () => {
  test("signs out at the only provider, which asks the user without an ID token", async () => {
    const { alice, provider } = await signIn(sealed)
    const target = await signOutThere(alice)
    expect(target.origin).toBe(provider.issuer)
    expect(target.searchParams.has("id_token_hint")).toBe(false)
    expect(target.searchParams.get("client_id")).toBe(provider.clientId)
    expect(await alice.getSession()).toBeNull()
  })

  test("with `keepIdToken`, knows its provider and the ID token", async () => {
    const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
    const { alice } = await signIn(keepsIdToken, {}, [other])
    const target = await signOutThere(alice)
    expect(target.origin).toBe("https://idp.example")
    const hint = target.searchParams.get("id_token_hint") ?? ""
    expect(decodeJwt(hint)).toMatchObject({ sub: "ada" })
  })

  test("with `keepIdToken`, keeps it from the browser and from callbacks that drop claims", async () => {
    const { alice } = await signIn({
      ...keepsIdToken,
      callbacks: { jwt: ({ token }) => ({ sub: token.sub ?? "", name: "Ada" }) },
    })
    expect(JSON.stringify(await alice.getSession())).not.toContain("eyJ")
    expect((await signOutThere(alice)).searchParams.has("id_token_hint")).toBe(true)
  })

  test("is ended here only if several providers may have begun it", async () => {
    const other = await createScriptedProvider({ id: "other", issuer: "https://other.example" })
    const { alice, app } = await signIn(sealed, {}, [other])
    await expectPlainSignOut(alice, await signOutThere(alice))
    expect(app.readLog()).not.toContain("SignOutError")
  })
})

describe("a user with accounts at several providers", () => {
  async function signInToBoth(changes: AppChanges) {
    const first = await createScriptedProvider({ id: "first", issuer: "https://first.example" })
    const provider = await createScriptedProvider()
    const app = await createOAuthApp([first.asOidc(), provider.asOidc()], changes)
    const early = createTestBrowser(app.app)
    await early.signIn(first)
    await early.signIn(provider, { link: "true" })
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    expect(await alice.getSession()).not.toBeNull()
    return { app, alice, provider }
  }

  test.each(["jwt", "database"] as const)(
    "signs out at the one that the session began with, if it is recorded: %s",
    async (strategy) => {
      const { alice, provider } = await signInToBoth({
        adapter: createRecordingAdapter(),
        session: { strategy, records: true },
      })
      const target = await signOutThere(alice)
      expect(target.origin).toBe(provider.issuer)
      const hint = target.searchParams.get("id_token_hint") ?? ""
      expect(decodeJwt(hint).iss).toBe(provider.issuer)
    },
  )

  test("signs out here only if it is not, and the log says so", async () => {
    const { app, alice } = await signInToBoth({})
    await expectPlainSignOut(alice, await signOutThere(alice))
    expect(app.readLog()).toContain("session.records")
  })
})

describe("a session to which an account of another provider was added", () => {
  async function signInAndLink(changes: AppChanges) {
    const first = await createScriptedProvider({ id: "first", issuer: "https://first.example" })
    const second = await createScriptedProvider({ id: "second", issuer: "https://second.example" })
    const app = await createOAuthApp([first.asOidc(), second.asOidc()], changes)
    const alice = createTestBrowser(app.app)
    await alice.signIn(first)
    await alice.signIn(second, { link: "true" })
    return { alice, first }
  }

  test.each(["jwt", "database"] as const)(
    "signs out at the provider that it began with: %s",
    async (strategy) => {
      const adapter = createRecordingAdapter()
      const { alice, first } = await signInAndLink({
        adapter,
        session: { strategy, records: true },
      })
      expect((await signOutThere(alice)).origin).toBe(first.issuer)
    },
  )

  test("sends this provider no ID token of the other one", async () => {
    const records = { store: createRecordingAdapter() }
    const { alice, first } = await signInAndLink({
      adapter: undefined,
      session: { keepIdToken: true, providerTokens: true, records },
    } as unknown as AppChanges)
    const target = await signOutThere(alice)
    expect(target.origin).toBe(first.issuer)
    expect(decodeJwt(target.searchParams.get("id_token_hint") ?? "").iss).toBe(first.issuer)
  })
})

describe("a plain sign-out", () => {
  test.each(["false", "", "1", "yes"])("is what other values request: %j", async (federated) => {
    const { alice } = await signIn()
    await expectPlainSignOut(alice, await signOutThere(alice, { federated }))
  })

  test("is all that a provider without an endpoint offers", async () => {
    const { provider } = await signIn()
    provider.injectFaults({
      discovery: ({ end_session_endpoint: _, ...others }) => others,
    })
    const fresh = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(fresh.app)
    await alice.signIn(provider)
    await expectPlainSignOut(alice, await signOutThere(alice))
    expect(fresh.readLog()).not.toContain("provider-sign-out")
  })

  test("is all that a provider of OAuth 2 offers, and that somebody needs who is signed out", async () => {
    const provider = await createScriptedProvider()
    const { app, readLog } = await createOAuthApp(provider.asOAuth())
    const alice = createTestBrowser(app)
    await alice.signIn(provider)
    await expectPlainSignOut(alice, await signOutThere(alice))
    await expectPlainSignOut(alice, await signOutThere(alice))
    expect(readLog()).not.toContain("provider-sign-out")
  })

  test.each(["http://idp.example/logout", "javascript:alert(1)", "no URL", 7])(
    "is all if the metadata names an unusable endpoint: %s",
    async (end_session_endpoint) => {
      const provider = await createScriptedProvider()
      provider.injectFaults({ discovery: (honest) => ({ ...honest, end_session_endpoint }) })
      const app = await createOAuthApp(provider.asOidc())
      const alice = createTestBrowser(app.app)
      await alice.signIn(provider)
      await expectPlainSignOut(alice, await signOutThere(alice))
      expect(app.readLog()).toContain("provider-sign-out")
    },
  )

  test("is all while the provider does not respond", async () => {
    const { provider, app } = await signIn()
    // Another process, which has not fetched the metadata.
    const auth = createAuth({ ...app.config, providers: [provider.asOidc()] })
    const bob = createTestBrowser((request) => auth.handle(request))
    await bob.signIn(provider)
    const later = createAuth({ ...app.config, providers: [provider.asOidc()] })
    provider.overrideEndpoint("discovery", new Response("down", { status: 503 }))
    const cookie = [...bob.cookies].map(({ raw }) => raw.split(";", 1)[0]).join("; ")
    const input = { headers: new Headers({ cookie }), url: origin }
    const options = { redirectTo: "/bye", federated: true }
    expect((await later.signOut(input, options)).redirect).toBe(`${origin}/bye`)
    expect(await bob.getSession()).toBeNull()
    expect(app.readLog()).toContain("provider-sign-out")
  })

  test("is all for a user who has signed in with a password", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(
      [
        {
          id: "credentials",
          name: "Password",
          type: "credentials",
          credentials: { name: {} },
          authorize: () => ({ id: "1", name: "Ada" }),
        },
        provider.asOidc(),
      ],
      sealed,
    )
    const alice = createTestBrowser(app.app)
    await alice.signIn("credentials", { name: "ada" })
    await expectPlainSignOut(alice, await signOutThere(alice))
  })

  test("is all for a browser without a session", async () => {
    const app = await createOAuthApp((await createScriptedProvider()).asOidc())
    const visitor = createTestBrowser(app.app)
    await expectPlainSignOut(visitor, await signOutThere(visitor))
  })
})
