import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { expectNoSecretsLogged } from "../../support/oauth-app.ts"
import { createProviderApp } from "./provider-app.ts"
import { providerFixtures } from "./provider-fixtures.ts"

const home = "https://app.example"

test("every provider of the catalogue has a fixture", () => {
  const folder = new URL("../../../src/providers/catalogue/", import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"))
  const isOfCatalogue = (file: string) => {
    const source = readFileSync(new URL(file, folder), "utf8")
    return /@see https:/.test(source) && !source.includes("../send-through-api.ts")
  }
  const ids = files.filter(isOfCatalogue).map((file) => file.replace(/\.ts$/, ""))
  expect(providerFixtures.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(ids.length).toBeGreaterThanOrEqual(60)
})

describe.each(providerFixtures)("$id", (fixture) => {
  test("sends the authorization request of its documentation", async () => {
    const { beginSignIn, provider } = await createProviderApp(fixture)
    const authorizationUrl = await beginSignIn()
    expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(fixture.endpoints.authorize)
    const parameters = authorizationUrl.searchParams
    for (const [parameter, value] of Object.entries(fixture.authorizationParams)) {
      expect([parameter, parameters.get(parameter)]).toEqual([parameter, value])
    }
    const { clientId } = provider
    const own = fixture.renamedParams ? {} : { client_id: clientId }
    expect(Object.fromEntries(parameters)).toMatchObject({
      ...own,
      response_type: "code",
      redirect_uri: `${home}/auth/callback/${fixture.id}`,
    })
    expect(parameters.get("state")).toMatch(/^[\w.-]{22,}$/)
    const guards = ["code_challenge", "nonce"].filter((name) => parameters.has(name))
    expect(guards).toEqual(fixture.protections)
    expect(parameters.get("code_challenge_method")).toBe(
      guards.includes("code_challenge") ? "S256" : null,
    )
  })

  test("signs a user in at its own endpoints with its client authentication", async () => {
    const { app, alice, calledUrls, provider, signIn } = await createProviderApp(fixture)
    expect((await signIn()).headers.get("location"), app.readLog()).toBe(home)
    const { name, email, image } = fixture.expectedUser
    // Adapters cannot store null for an address.
    expect(await alice.getSession()).toMatchObject({ user: { name, email: email ?? "", image } })
    expect(app.readRows("User")).toMatchObject([{ name, email, image, emailVerified: null }])
    expect(app.readRows("Account")).toMatchObject([
      { provider: fixture.id, providerAccountId: fixture.accountId },
    ])
    expect(provider.tokenRequests.map(({ clientAuth }) => clientAuth)).toEqual([fixture.clientAuth])
    const { discovery, token, jwks, userinfo } = fixture.endpoints
    const further = Object.keys(fixture.fullProfile.otherEndpoints ?? {})
    const expected = [discovery, token, jwks, userinfo, ...further]
    expect(calledUrls).toEqual(expected.filter((url) => url !== undefined))
    expectNoSecretsLogged(app, provider)
  })

  test("signs a user in who has neither an address nor a picture of their own", async () => {
    const { app, signIn } = await createProviderApp(fixture, fixture.minimalProfile)
    expect((await signIn()).headers.get("location"), app.readLog()).toBe(home)
    expect(app.readRows("User")).toMatchObject([
      { name: fixture.minimalName, email: null, image: fixture.minimalImage ?? null },
    ])
  })
})
