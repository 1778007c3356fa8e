import { type Browser, browser, type Comeback, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectSecretsUnlogged, type OAuthApp, oauthApp } from "../support/oauth-app.ts"

/** Keeps everything that the application answers, as text. */
function overheard(at: OAuthApp): { alice: Browser; answers: string[] } {
  const answers: string[] = []
  const alice = browser(async (request) => {
    const response = await at.app(request)
    const body = await response.clone().text()
    answers.push([...response.headers].flat().join("\n"), body)
    return response
  })
  return { alice, answers }
}

/** A whole visit: every page and endpoint, a sign-in, the session, a sign-out. */
async function visit(alice: Browser, approve: (url: URL) => Comeback): Promise<URL> {
  for (const route of ["signin", "providers", "csrf", "error", "verify-request"]) {
    await alice.open(alice.path(route))
  }
  const begun = await alice.begin("scripted")
  await alice.open(approve(begun))
  expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  await alice.open(alice.path("signout"))
  await alice.signOut()
  return begun
}

describe("what only the application and the provider know", () => {
  test.each(["jwt", "database"] as const)(
    "86 is in no answer, no cookie, no URL and no log line (strategy %s)",
    async (strategy) => {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOidc({ idToken: false }), { session: { strategy } })
      const { alice, answers } = overheard(at)
      const begun = await visit(alice, (url) => provider.approve(url))
      const shown = [...answers, begun.href, ...[...alice.cookies].map(({ raw }) => raw)].join("\n")
      expect(provider.secrets.filter((secret) => shown.includes(secret))).toEqual([])
      const urls = provider.requests.map(({ url }) => url.href).join("\n")
      expect(provider.secrets.filter((secret) => urls.includes(secret))).toEqual([])
      expectSecretsUnlogged(at, provider)
      expect(answers.length).toBeGreaterThan(15)
    },
  )

  test("86 the client secret goes to the token endpoint, and nowhere else", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc({ idToken: false }))
    await browser(at.app).signIn(provider)
    const holders = provider.requests.filter(({ headers, text, url }) => {
      const authorization = headers.get("authorization") ?? ""
      const [scheme, encoded = ""] = authorization.split(" ")
      const credentials = scheme === "Basic" ? atob(encoded) : authorization
      return `${credentials} ${text} ${url}`.includes(provider.clientSecret)
    })
    expect(holders.map(({ endpoint }) => endpoint)).toEqual(["token"])
  })

  test("86 the list of providers says no more than who they are", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const response = await browser(at.app).open("/auth/providers")
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

  test("86 the tokens stay on the server unless the application gives them out", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc(), { session: { strategy: "jwt" } })
    const alice = browser(at.app)
    await alice.signIn(provider)
    const session = JSON.stringify(await alice.session())
    expect(provider.secrets.filter((secret) => session.includes(secret))).toEqual([])
    expect(Object.keys(JSON.parse(session))).toEqual(["user", "expires"])
  })

  test("86 a verifier and a nonce are in the cookie only sealed", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc({ checks: ["pkce", "nonce"] as const }))
    const alice = browser(at.app)
    const begun = await alice.begin(provider)
    const raw = [...alice.cookies].map((cookie) => decodeURIComponent(cookie.raw)).join("\n")
    await alice.open(provider.approve(begun))
    const verifier = provider.tokenRequests[0]?.body.get("code_verifier") ?? ""
    const nonce = begun.searchParams.get("nonce") ?? ""
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(nonce).toMatch(/^[\w-]{43}$/)
    expect(raw).not.toContain(verifier)
    expect(raw).not.toContain(nonce)
    expect(at.log()).not.toContain(verifier)
  })
})
