import { assertRefused, browser, type Comeback, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

const formPost = { authorization: { params: { response_mode: "form_post" } } }

async function posting() {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOidc(formPost))
  return { provider, at, alice: browser(at.app) }
}

/** The answer as a link: what was a form becomes a query. */
function asLink({ url, parameters }: Comeback): URL {
  const link = new URL(url)
  link.search = parameters.toString()
  return link
}

describe("response_mode=form_post", () => {
  test("88 signs in with a form that the provider posts across sites", async () => {
    const { provider, alice, at } = await posting()
    const begun = await alice.begin(provider, { callbackUrl: "/inbox" })
    expect(begun.searchParams.get("response_mode")).toBe("form_post")
    const answer = await alice.open(provider.approve(begun))
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe("https://app.example/inbox")
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(alice.cookies.rejected).toEqual([])
    expect(at.rows("Account")).toHaveLength(1)
  })

  test("88 refuses the same answer as a link", async () => {
    const { provider, alice } = await posting()
    const comeback = provider.approve(await alice.begin(provider))
    assertRefused(await alice.open(asLink(comeback), { from: comeback.from }))
    expect(await alice.session()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test("88 refuses a form with another provider's query beside it", async () => {
    const { provider, alice } = await posting()
    const comeback = provider.approve(await alice.begin(provider))
    const link = asLink(comeback)
    comeback.parameters.delete("code")
    comeback.url.search = link.search
    assertRefused(await alice.open(comeback))
    expect(provider.tokenRequests).toEqual([])
  })

  test("88 refuses a posted answer where it comes as a link", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    const { url, parameters } = provider.approve(await alice.begin(provider))
    const target = new URL(url.pathname, url)
    assertRefused(await alice.post(target, parameters))
    assertRefused(await alice.post(url, {}))
    expect(await alice.session()).toBeNull()
    expect(provider.tokenRequests).toEqual([])
  })

  test.each(["code", "state", "iss", "error"])("67 refuses a form with %s twice", async (name) => {
    const { provider, alice, at } = await posting()
    const comeback = provider.approve(await alice.begin(provider))
    for (let time = 0; time < 2; time += 1) {
      comeback.parameters.append(name, comeback.parameters.get(name) ?? "access_denied")
    }
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("46 gives cookies that cross sites to the sign-in under way, and to nothing else", async () => {
    const { provider, alice } = await posting()
    const begun = await alice.begin(provider)
    const crossing = [...alice.cookies].filter(({ sameSite }) => sameSite === "none")
    expect(crossing.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^__Host-authjs\.state\./),
    ])
    expect(crossing.every(({ secure, httpOnly }) => secure && httpOnly)).toBe(true)
    await alice.open(provider.approve(begun))
    const left = [...alice.cookies].map(({ name, sameSite }) => [name, sameSite])
    expect(left).toContainEqual(["__Secure-authjs.session-token", "lax"])
    expect(left.filter(([, sameSite]) => sameSite !== "lax")).toEqual([])
  })

  test("46 gives no such cookie to the sign-ins of other providers", async () => {
    const provider = await scriptedProvider()
    const alice = browser((await oauthApp(provider.asOidc())).app)
    await alice.begin(provider)
    expect([...alice.cookies].map(({ sameSite }) => sameSite)).not.toContain("none")
  })
})
