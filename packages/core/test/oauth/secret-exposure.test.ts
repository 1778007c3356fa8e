import {
  type AuthorizationResponse,
  createScriptedProvider,
  createTestBrowser,
  type TestBrowser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectNoSecretsLogged, type OAuthApp } from "../support/oauth-app.ts"

/** Collects all responses of the application as text. */
function recordResponses(app: OAuthApp): { alice: TestBrowser; responses: string[] } {
  const responses: string[] = []
  const alice = createTestBrowser(async (request) => {
    const response = await app.app(request)
    const body = await response.clone().text()
    responses.push([...response.headers].flat().join("\n"), body)
    return response
  })
  return { alice, responses }
}

/** Requests every page and endpoint: sign-in, session and sign-out. */
async function useEveryRoute(
  alice: TestBrowser,
  approve: (url: URL) => AuthorizationResponse,
): Promise<URL> {
  for (const route of ["signin", "providers", "csrf", "error", "verify-request"]) {
    await alice.open(alice.getRoutePath(route))
  }
  const authorizationUrl = await alice.startSignIn("scripted")
  await alice.open(approve(authorizationUrl))
  expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.open(alice.getRoutePath("signout"))
  await alice.signOut()
  return authorizationUrl
}

describe("the secrets of the application and the provider", () => {
  test.each(["jwt", "database"] as const)(
    "appear in no response, cookie, URL or log line (strategy %s)",
    async (strategy) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc({ idToken: false }), {
        session: { strategy },
      })
      const { alice, responses } = recordResponses(app)
      const authorizationUrl = await useEveryRoute(alice, (url) => provider.approve(url))
      const shown = [
        ...responses,
        authorizationUrl.href,
        ...[...alice.cookies].map(({ raw }) => raw),
      ].join("\n")
      expect(provider.secrets.filter((secret) => shown.includes(secret))).toEqual([])
      const urls = provider.requests.map(({ url }) => url.href).join("\n")
      expect(provider.secrets.filter((secret) => urls.includes(secret))).toEqual([])
      expectNoSecretsLogged(app, provider)
      expect(responses.length).toBeGreaterThan(15)
    },
  )

  test("the client secret is sent to the token endpoint only", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ idToken: false }))
    await createTestBrowser(app.app).signIn(provider)
    const holders = provider.requests.filter(({ headers, text, url }) => {
      const authorization = headers.get("authorization") ?? ""
      const [scheme, encoded = ""] = authorization.split(" ")
      const credentials = scheme === "Basic" ? atob(encoded) : authorization
      return `${credentials} ${text} ${url}`.includes(provider.clientSecret)
    })
    expect(holders.map(({ endpoint }) => endpoint)).toEqual(["token"])
  })

  test("the list of providers contains only public fields", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const response = await createTestBrowser(app.app).open("/auth/providers")
    expect(await response.json()).toEqual({
      scripted: {
        id: "scripted",
        name: "Scripted",
        type: "oidc",
        signinUrl: "https://app.example/auth/signin/scripted",
        callbackUrl: "https://app.example/auth/callback/scripted",
      },
    })
  })

  test("the tokens stay on the server unless the application exposes them", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc(), { session: { strategy: "jwt" } })
    const alice = createTestBrowser(app.app)
    await alice.signIn(provider)
    const session = JSON.stringify(await alice.getSession())
    expect(provider.secrets.filter((secret) => session.includes(secret))).toEqual([])
    expect(Object.keys(JSON.parse(session))).toEqual(["user", "expires"])
  })

  test("the verifier and the nonce are only in an encrypted cookie", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc({ checks: ["pkce", "nonce"] as const }))
    const alice = createTestBrowser(app.app)
    const authorizationUrl = await alice.startSignIn(provider)
    const raw = [...alice.cookies].map((cookie) => decodeURIComponent(cookie.raw)).join("\n")
    await alice.open(provider.approve(authorizationUrl))
    const verifier = provider.tokenRequests[0]?.body.get("code_verifier") ?? ""
    const nonce = authorizationUrl.searchParams.get("nonce") ?? ""
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(nonce).toMatch(/^[\w-]{43}$/)
    expect(raw).not.toContain(verifier)
    expect(raw).not.toContain(nonce)
    expect(app.readLog()).not.toContain(verifier)
  })
})
