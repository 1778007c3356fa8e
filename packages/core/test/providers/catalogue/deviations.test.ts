import { generateKeyPairSync } from "node:crypto"
import { Auth, type AuthConfig, setEnvDefaults } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import asgardeo from "@latchkey/core/providers/asgardeo"
import azureADB2C from "@latchkey/core/providers/azure-ad-b2c"
import fusionauth from "@latchkey/core/providers/fusionauth"
import mattermost from "@latchkey/core/providers/mattermost"
import onelogin from "@latchkey/core/providers/onelogin"
import webex from "@latchkey/core/providers/webex"
import workos from "@latchkey/core/providers/workos"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused, oauthSecret } from "../../support/oauth-app.ts"
import { createCharacter } from "./eveonline-character.ts"
import { createProviderApp } from "./provider-app.ts"
import type { ProviderFixture, ProviderProfile } from "./provider-fixture.ts"
import { providerFixtures } from "./provider-fixtures.ts"

function findFixture(id: string): ProviderFixture {
  const found = providerFixtures.find((fixture) => fixture.id === id)
  if (!found) throw new TypeError(`${id} has no fixture`)
  return found
}

describe("the sign-in is refused", () => {
  const sub = "CHARACTER:EVE:123123"
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const refused: [string, string, ProviderProfile][] = [
    ["VK answers with an error", "vk", { claims: { error: { error_code: 5 } } }],
    ["VK returns no user", "vk", { claims: { response: [] } }],
    ["Instagram answers with an error", "instagram", { claims: { error: { code: 190 } } }],
    [
      "Nextcloud's tokens name no user",
      "nextcloud",
      { token: { access_token: "some-token" }, otherEndpoints: {} },
    ],
    [
      "a token of EVE Online has another signature",
      "eveonline",
      createCharacter({ sub }, privateKey),
    ],
    [
      "a token of EVE Online has another issuer",
      "eveonline",
      createCharacter({ sub, iss: "login.evil.example" }),
    ],
    [
      "a token of EVE Online is for another game",
      "eveonline",
      createCharacter({ sub, aud: "EVE Frontier" }),
    ],
    [
      "a token of EVE Online has expired",
      "eveonline",
      createCharacter({ sub, exp: 1_648_563_218 }),
    ],
    [
      "a token of EVE Online names no character",
      "eveonline",
      createCharacter({ sub: "CORP:EVE:1" }),
    ],
  ]
  test.each(refused)("if %s", async (_, id, person) => {
    const { app, alice, provider, signIn } = await createProviderApp(findFixture(id), person)
    await expectSignInRefused(await signIn(), alice, app, provider)
  })

  test("if HubSpot does not know the token, which no log quotes", async () => {
    const fixture = findFixture("hubspot")
    const [url = ""] = Object.keys(fixture.fullProfile.otherEndpoints ?? {})
    const person = { ...fixture.fullProfile, otherEndpoints: { [url]: 404 } }
    const { app, alice, provider, signIn } = await createProviderApp(fixture, person)
    await expectSignInRefused(await signIn(), alice, app, provider)
    expect(app.readLog()).toContain("returned status 404 instead of the user profile")
    expect(app.readLog()).not.toContain(url.split("/").at(-1))
  })
})

test("Instagram's tokens may also be the whole response", async () => {
  const fixture = findFixture("instagram")
  const tokenResponse: ProviderFixture["tokenResponse"] = ({ access_token }) => ({
    access_token,
    user_id: "1020",
  })
  const { app, signIn } = await createProviderApp({ ...fixture, tokenResponse })
  await signIn()
  expect(app.readRows("Account"), app.readLog()).toMatchObject([{ providerAccountId: "243" }])
})

test.each(["https://acme.onelogin.com", "https://acme.onelogin.com/oidc/2/"])(
  "OneLogin accepts the issuer %s",
  (issuer) => {
    expect(onelogin({ issuer }).options).toMatchObject({
      issuer: "https://acme.onelogin.com/oidc/2",
    })
  },
)

test("Asgardeo accepts the URL of the organisation as issuer", () => {
  expect(asgardeo({ issuer: "https://api.asgardeo.io/t/acme/" }).options).toMatchObject({
    issuer: "https://api.asgardeo.io/t/acme/oauth2/token",
  })
})

test("FusionAuth can serve several tenants", async () => {
  const tenantId = "d7d09513-a3f5-401c-9685-34ab6c552453"
  const provider = fusionauth({ issuer: "https://login.acme.example", tenantId })
  expect(provider).toMatchObject({
    wellKnown: `https://login.acme.example/.well-known/openid-configuration?tenantId=${tenantId}`,
    authorization: { params: { tenantId } },
  })
})

test("WorkOS receives the connection", async () => {
  const { beginSignIn } = await createProviderApp(findFixture("workos"), undefined, {
    authorization: { params: { organization: "org_1" } },
  })
  expect((await beginSignIn()).searchParams.get("organization")).toBe("org_1")
  const [app] = [await createOAuthApp(workos({ clientId: "us", connection: "conn_1" }) as Provider)]
  const url = await createTestBrowser(app.app).startSignIn("workos")
  expect(url.searchParams.get("connection")).toBe("conn_1")
})

test("Webex can be asked at another address", () => {
  expect(webex({ apiBaseUrl: "https://api-usgov.webex.com/v1" })).toMatchObject({
    authorization: { url: "https://api-usgov.webex.com/v1/authorize" },
    token: "https://api-usgov.webex.com/v1/access_token",
    userinfo: "https://api-usgov.webex.com/v1/people/me",
  })
})

test("an OAuth 2 provider without its required issuer is told what to set", async () => {
  const app = await createOAuthApp(mattermost({ clientId: "us" }) as Provider)
  await createTestBrowser(app.app).open("/auth/providers")
  expect(app.readLog()).toContain("AUTH_MATTERMOST_ISSUER, to the https URL of your server.")
})

test("Azure AD B2C signs in with a scope of the application, and without an access token", async () => {
  const fixture = findFixture("azure-ad-b2c")
  const profile = { ...fixture.fullProfile, token: { access_token: null } }
  const { alice, beginSignIn, approve } = await createProviderApp(fixture, profile)
  const begun = await beginSignIn()
  expect(begun.searchParams.get("scope")).toBe("openid profile email latchkey-client")
  await approve(begun)
  expect(await alice.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
})

test.each([
  [{}, "openid profile email us-$&"],
  [{ scope: "openid api" }, "openid api"],
])(
  "Azure AD B2C reads the client id of its scope from the environment: %j",
  async (params, scope) => {
    const { issuer = "", endpoints } = findFixture("azure-ad-b2c")
    const { authorize: url, token, jwks: jwks_endpoint = "" } = endpoints
    const provider = azureADB2C({ issuer, token, jwks_endpoint, authorization: { url, params } })
    const config: AuthConfig = { providers: [provider], trustHost: true, secret: oauthSecret }
    setEnvDefaults({ AUTH_AZURE_AD_B2C_ID: "us-$&" }, config)
    const alice = createTestBrowser((request) => Auth(request, config))
    expect((await alice.startSignIn("azure-ad-b2c")).searchParams.get("scope")).toBe(scope)
  },
)
