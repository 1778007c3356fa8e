/** `max_age` and `prompt=login`: the ID token has to say when the provider authenticated the user. */
import { createAuth } from "@latchkey/core"
import type { OIDCConfig } from "@latchkey/core/providers"
import {
  createScriptedProvider,
  createTestBrowser,
  getRedirectError,
  type IdTokenModifier,
  type ScriptedProvider,
} from "@latchkey/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CertifiedProvider, certifiedProvider } from "../support/certified-provider.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

const home = "https://app.example"

/** The provider says that it authenticated the user so many seconds ago; undefined for nothing. */
const sayAuthTime =
  (secondsAgo: number | undefined): IdTokenModifier =>
  ({ claims, now }) => {
    if (secondsAgo === undefined) delete claims["auth_time"]
    else claims["auth_time"] = now - secondsAgo
  }

async function createSetup(changes: object = {}) {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(changes))
  return { provider, app, alice: createTestBrowser(app.app) }
}

/** Signs in with these parameters in the query, and returns the error; null if it succeeds. */
async function signIn(
  { provider, alice }: Awaited<ReturnType<typeof createSetup>>,
  query: Record<string, string>,
  secondsAgo: number | undefined,
) {
  provider.injectFaults({ idToken: sayAuthTime(secondsAgo) })
  const url = await alice.startSignIn(provider, {}, query)
  return getRedirectError(await alice.open(provider.approve(url)))
}

describe("a sign-in that asks for a recent authentication", () => {
  test.each([
    ["max_age, in time", { max_age: "600" }, 590, null],
    ["max_age, within the tolerance of clocks", { max_age: "600" }, 625, null],
    ["max_age, too long ago", { max_age: "600" }, 640, "OAuthCallbackError"],
    ["max_age, without the time", { max_age: "600" }, undefined, "OAuthCallbackError"],
    ["max_age=0, just now", { max_age: "0" }, 0, null],
    ["max_age=0, before it began", { max_age: "0" }, 40, "OAuthCallbackError"],
    ["prompt=login, just now", { prompt: "login" }, 0, null],
    ["prompt=login, before it began", { prompt: "login" }, 40, "OAuthCallbackError"],
    ["prompt=login, without the time", { prompt: "login" }, undefined, null],
    ["prompt=login consent, before", { prompt: "consent login" }, 40, "OAuthCallbackError"],
    [
      "prompt=login and a long max_age",
      { prompt: "login", max_age: "600" },
      40,
      "OAuthCallbackError",
    ],
    ["another prompt", { prompt: "consent" }, 4000, null],
    ["nothing", {}, 4000, null],
    ["nothing, without the time", {}, undefined, null],
  ])("%s", async (_, query, secondsAgo, error) => {
    const setup = await createSetup()
    expect(await signIn(setup, query, secondsAgo)).toBe(error)
    const session = await setup.alice.getSession()
    if (error) expect(session).toBeNull()
    else expect(session).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test.each([
    ["the configuration", { authorization: { params: { max_age: 60 } } }, {}],
    ["the URL of the configuration", {}, {}],
    ["the application", {}, { max_age: "0", prompt: "login" }],
  ])(
    "needs `auth_time` for %s, whatever the provider supports",
    async (source, changes, params) => {
      const { provider, app } = await createSetup()
      const own = source.startsWith("the URL")
        ? { authorization: `${provider.endpoints.authorize}?max_age=60` }
        : changes
      const config = { ...app.config, providers: [provider.asOidc(own)] }
      const auth = createAuth(config)
      provider.injectFaults({ idToken: sayAuthTime(undefined) })
      const request = { headers: new Headers(), url: `${home}/login` }
      const { redirect, cookies } = await auth.signIn(request, provider.id, {}, { ...params })
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const { url } = provider.approve(new URL(redirect))
      const response = await auth.handle(new Request(url, { headers: { cookie } }))
      expect(getRedirectError(response)).toBe("OAuthCallbackError")
      expect(app.readRows("Session")).toEqual([])
    },
  )

  test("is refused with an error that says what was expected, and the old session stays", async () => {
    const setup = await createSetup()
    await signIn(setup, {}, 0)
    const before = setup.app.readRows("Session")
    expect(await signIn(setup, { max_age: "60" }, 7200)).toBe("OAuthCallbackError")
    expect(setup.app.readRows("Session")).toEqual(before)
    expect(await setup.alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    // The clock may go on between the start and the end.
    expect(setup.app.readLog()).toMatch(
      /expected `auth_time` in the ID token to be at most 60 seconds before the sign-in began.*7(?:199|20\d) seconds before/is,
    )
  })

  test("does not trust the request, which a browser can change", async () => {
    const { provider, alice } = await createSetup()
    for (const change of ["", "999999"]) {
      provider.injectFaults({ idToken: sayAuthTime(7200) })
      const url = await alice.startSignIn(provider, {}, { prompt: "login", max_age: "0" })
      if (change) url.searchParams.set("max_age", change)
      else for (const name of ["max_age", "prompt"]) url.searchParams.delete(name)
      expect(getRedirectError(await alice.open(provider.approve(url)))).toBe("OAuthCallbackError")
    }
    expect(await alice.getSession()).toBeNull()
  })

  test.each(["-1", "1.5", "abc", "", " 1", "99999999999"])(
    "refuses max_age=%s from the browser",
    async (max_age) => {
      const { alice, provider } = await createSetup()
      const csrfToken = await alice.getCsrfToken()
      const path = `${alice.getRoutePath(`signin/${provider.id}`)}?${new URLSearchParams({ max_age })}`
      const response = await alice.post(path, { csrfToken })
      expect(response.status).toBe(400)
    },
  )

  test("may be stricter, but not less strict, than the provider's configuration", async () => {
    const changes = { authorization: { params: { max_age: 600 } } }
    for (const [sent, used] of [
      ["60", "60"],
      ["0", "0"],
      ["601", "600"],
      ["x", "600"],
    ] as const) {
      const { alice, provider } = await createSetup(changes)
      const url = await alice.startSignIn(provider, {}, { max_age: sent })
      expect(url.searchParams.getAll("max_age")).toEqual([used])
    }
  })

  test("leaves a provider out whose configured `max_age` is no number", async () => {
    const { app } = await createSetup({ authorization: { params: { max_age: "soon" } } })
    const response = await createTestBrowser(app.app).fetch("/auth/providers")
    expect(await response.json()).toEqual({})
    expect(app.readLog()).toContain("a whole number of seconds as `max_age`. Received: max_age")
  })
})

describe("a provider that never says when it authenticated a user", () => {
  const again = { prompt: "login", max_age: "0" }

  test("can be used to sign in again, where its metadata does not list `auth_time`", async () => {
    const setup = await createSetup()
    expect(await signIn(setup, again, undefined)).toBeNull()
  })

  test("is refused if its metadata lists `auth_time`", async () => {
    const setup = await createSetup()
    listAuthTime(setup.provider)
    expect(await signIn(setup, again, undefined)).toBe("OAuthCallbackError")
  })
})

function listAuthTime(provider: ScriptedProvider): void {
  provider.injectFaults({
    discovery: (honest) => ({ ...honest, claims_supported: ["sub", "auth_time"] }),
  })
}

describe("a certified provider", () => {
  let certified: CertifiedProvider
  beforeAll(async () => {
    certified = await certifiedProvider(`${home}/auth/callback/certified`)
  })
  afterAll(() => certified[Symbol.asyncDispose]())

  async function createCertifiedApp() {
    const { issuer, clientId, clientSecret } = certified
    const config: OIDCConfig = {
      id: "certified",
      name: "Certified",
      type: "oidc",
      issuer,
      clientId,
      clientSecret,
      authorization: { params: { scope: "openid profile email" } },
    }
    const app = await createOAuthApp(config)
    return { app, alice: createTestBrowser(app.app) }
  }

  test("authenticates the user again, and says so", async () => {
    const { alice } = await createCertifiedApp()
    const url = await alice.startSignIn("certified", {}, { prompt: "login", max_age: "0" })
    const response = await alice.open(await certified.approve(url), { from: certified.issuer })
    expect(response.headers.get("location")).toBe(home)
  })

  test("says nothing if the browser removes `max_age` from the request, which is then refused", async () => {
    const { alice, app } = await createCertifiedApp()
    const url = await alice.startSignIn("certified", {}, { prompt: "login", max_age: "0" })
    for (const name of ["max_age", "prompt"]) url.searchParams.delete(name)
    const response = await alice.open(await certified.approve(url), { from: certified.issuer })
    expect(getRedirectError(response)).toBe("OAuthCallbackError")
    expect(app.readRows("Session")).toEqual([])
  })
})
