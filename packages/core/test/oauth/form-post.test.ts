import {
  type AuthorizationResponse,
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const formPost = { authorization: { params: { response_mode: "form_post" } } }

async function createFormPostSetup() {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(formPost))
  return { provider, app, alice: createTestBrowser(app.app) }
}

/** The form response as a link, with its fields in the query. */
function toLink({ url, parameters }: AuthorizationResponse): URL {
  const link = new URL(url)
  link.search = parameters.toString()
  return link
}

describe("response_mode=form_post", () => {
  test("signs in with a form that the provider posts across sites", async () => {
    const { provider, alice, app } = await createFormPostSetup()
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl: "/inbox" })
    expect(authorizationUrl.searchParams.get("response_mode")).toBe("form_post")
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe("https://app.example/inbox")
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(alice.cookies.rejected).toEqual([])
    expect(app.readRows("Account")).toHaveLength(1)
  })

  test("refuses the same response as a GET request", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    assertRefused(await alice.open(toLink(comeback), { from: comeback.providerOrigin }))
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a form if the query names another provider", async () => {
    const { provider, alice } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const link = toLink(comeback)
    comeback.parameters.delete("code")
    comeback.url.search = link.search
    assertRefused(await alice.open(comeback))
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a posted response if the provider uses GET", async () => {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(provider.asOidc())
    const alice = createTestBrowser(app.app)
    const { url, parameters } = provider.approve(await alice.startSignIn(provider))
    const target = new URL(url.pathname, url)
    assertRefused(await alice.post(target, parameters))
    assertRefused(await alice.post(url, {}))
    expect(await alice.getSession()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test.each(["code", "state", "iss", "error"])("refuses a form with %s twice", async (name) => {
    const { provider, alice, app } = await createFormPostSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    for (let time = 0; time < 2; time += 1) {
      comeback.parameters.append(name, comeback.parameters.get(name) ?? "access_denied")
    }
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("sets cookies for cross-site requests for the pending sign-in only", async () => {
    const { provider, alice } = await createFormPostSetup()
    const authorizationUrl = await alice.startSignIn(provider)
    const crossing = [...alice.cookies].filter(({ sameSite }) => sameSite === "none")
    expect(crossing.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^__Host-authjs\.state\./),
    ])
    expect(crossing.every(({ secure, httpOnly }) => secure && httpOnly)).toBe(true)
    await alice.open(provider.approve(authorizationUrl))
    const left = [...alice.cookies].map(({ name, sameSite }) => [name, sameSite])
    expect(left).toContainEqual(["__Secure-authjs.session-token", "lax"])
    expect(left.filter(([, sameSite]) => sameSite !== "lax")).toEqual([])
  })

  test("sets no such cookies for other providers", async () => {
    const provider = await createScriptedProvider()
    const alice = createTestBrowser((await createOAuthApp(provider.asOidc())).app)
    await alice.startSignIn(provider)
    expect([...alice.cookies].map(({ sameSite }) => sameSite)).not.toContain("none")
  })
})
