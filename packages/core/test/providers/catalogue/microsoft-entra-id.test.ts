import { setEnvDefaults } from "@latchkey/core"
import type { ProviderEnvironment } from "@latchkey/core/providers"
import gitlab from "@latchkey/core/providers/gitlab"
import microsoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
import type { Claims, UnusualIdToken } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectSignInRefused } from "../../support/oauth-app.ts"
import { createProviderApp } from "./provider-app.ts"
import type { ProviderFixture } from "./provider-fixture.ts"

const host = "https://login.microsoftonline.com"
const contoso = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
const fabrikam = "ffff0000-1111-2222-3333-444455556666"
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
const issuerOf = (tenant: string) => `${host}/${tenant}/v2.0`
const template = issuerOf("{tenantid}")

/** Microsoft with an authority that several tenants share, and a user of `tenant`. */
function createSharedAuthorityFixture(authority: string, tenant: string): ProviderFixture {
  return {
    factory: microsoftEntraID,
    id: "microsoft-entra-id",
    issuer: issuerOf(tenant),
    options: { issuer: issuerOf(authority) },
    endpoints: {
      discovery: `${host}/${authority}/v2.0/.well-known/openid-configuration`,
      authorize: `${host}/${authority}/oauth2/v2.0/authorize`,
      token: `${host}/${authority}/oauth2/v2.0/token`,
      jwks: `${host}/${authority}/discovery/v2.0/keys`,
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: {},
    fullProfile: { claims: { sub: "AAA", tid: tenant, name: "Ada" } },
    expectedUser: { name: "Ada", email: null, image: null },
    accountId: "AAA",
    minimalProfile: {},
    minimalName: null,
  }
}

interface SignInVariation {
  /** The issuer in the metadata. */
  metadataIssuer?: string
  claims?: Claims
  /** The tenant in the key set. */
  keyIssuer?: string
  options?: object
  idToken?: UnusualIdToken
}

/** A sign-in with unusual values. */
async function prepareSignIn(
  fixture: ProviderFixture,
  { metadataIssuer = template, claims, keyIssuer, options, idToken }: SignInVariation,
) {
  const person = { claims: { ...fixture.fullProfile.claims, ...claims } }
  const setup = await createProviderApp(fixture, person, options)
  const { provider } = setup
  const { endpoints } = fixture
  provider.overrideEndpoint("discovery", async (_, honest) =>
    Response.json({
      ...((await (await honest()).json()) as Claims),
      issuer: metadataIssuer,
      authorization_endpoint: endpoints.authorize,
      token_endpoint: endpoints.token,
      jwks_uri: endpoints.jwks,
      code_challenge_methods_supported: undefined,
      authorization_response_iss_parameter_supported: undefined,
    }),
  )
  provider.injectFaults({
    ...(idToken && { idToken }),
    jwks: ({ keys }) => ({
      keys: (keys as Claims[]).map((key) => ({ ...key, ...(keyIssuer && { issuer: keyIssuer }) })),
    }),
  })
  return setup
}

describe("an authority for several tenants", () => {
  test.each([
    ["common", contoso],
    ["common", fabrikam],
    ["common", personal],
    ["organizations", contoso],
  ])("%s accepts users of tenant %s", async (authority, tenant) => {
    const { app, signIn } = await prepareSignIn(createSharedAuthorityFixture(authority, tenant), {
      keyIssuer: template,
    })
    const response = await signIn()
    expect(response.headers.get("location"), app.readLog()).toBe("https://app.example")
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "AAA" }])
  })

  test("accepts a token that names no key, if the key is of its tenant", async () => {
    const { app, signIn } = await prepareSignIn(createSharedAuthorityFixture("common", contoso), {
      keyIssuer: issuerOf(contoso),
      idToken: "kid-missing",
    })
    const response = await signIn()
    expect(response.headers.get("location"), app.readLog()).toBe("https://app.example")
  })

  test("consumers accepts personal accounts", async () => {
    const announced = issuerOf(personal)
    const { app, signIn } = await prepareSignIn(
      createSharedAuthorityFixture("consumers", personal),
      { metadataIssuer: announced },
    )
    const response = await signIn()
    expect(response.headers.get("location"), app.readLog()).toBe("https://app.example")
  })

  test("is the default issuer", () => {
    expect(microsoftEntraID().issuer).toBe(issuerOf("common"))
  })
})

describe("a response of another tenant than it names", () => {
  const naming = (tid: string): SignInVariation => ({ claims: { tid, iss: issuerOf(tid) } })
  const tokens: [string, string, SignInVariation][] = [
    ["a token of one tenant that names another", "common", { claims: { tid: fabrikam } }],
    ["a token without a tenant", "common", { claims: { tid: undefined } }],
    ["a tenant that is a path", "common", naming(`${contoso}/v2.0/../..`)],
    ["a tenant that is a template", "common", naming("{tenantid}")],
    ["a tenant that is not a string", "common", { claims: { tid: [contoso] } }],
    ["a key of another tenant", "common", { keyIssuer: issuerOf(fabrikam) }],
    [
      "a key of another tenant, which the token does not name",
      "common",
      { keyIssuer: issuerOf(fabrikam), idToken: "kid-missing" },
    ],
    ["a work account", "consumers", { metadataIssuer: issuerOf(personal) }],
    ["another tenant's user", fabrikam, { metadataIssuer: issuerOf(fabrikam) }],
  ]
  test.each(tokens)("is refused: %s, at %s", async (_, authority, oddity) => {
    const { app, alice, provider, signIn } = await prepareSignIn(
      createSharedAuthorityFixture(authority, contoso),
      oddity,
    )
    await expectSignInRefused(await signIn(), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  const documents: [string, string, string][] = [
    ["one tenant", "common", issuerOf(contoso)],
    ["somebody else", "common", "https://idp.example/{tenantid}/v2.0"],
    ["all tenants", "consumers", template],
    ["all tenants", fabrikam, template],
  ]
  test.each(documents)("is refused: metadata of %s, at %s", async (_, authority, announced) => {
    const { app, alice, provider } = await prepareSignIn(
      createSharedAuthorityFixture(authority, contoso),
      { metadataIssuer: announced },
    )
    const response = await alice.signIn("microsoft-entra-id")
    await expectSignInRefused(response, alice, app, provider)
    expect(provider.discoveryRequests).toHaveLength(1)
  })
})

describe("an address with a marked provider object of Auth.js", () => {
  const factory = (options: Partial<ProviderEnvironment> = {}) => {
    const { tenants: _, emailVerified: __, ...plain } = microsoftEntraID(options)
    return { ...plain, [Symbol("conform-internal")]: true }
  }
  const options = { allowDangerousEmailAccountLinking: true } // addresses identify users
  const kept: [string, Claims, string | null][] = [
    ["common", {}, null],
    ["common", { xms_edov: true }, "ada@example.com"],
    ["organizations", { email_verified: true }, null],
    [contoso, {}, null], // a single tenant, whose addresses are verified if the application says so
    [contoso, { email_verified: true }, "ada@example.com"],
  ]
  test.each(kept)("at %s, with %o, is stored as %s", async (authority, more, email) => {
    const announced = authority === contoso ? issuerOf(contoso) : template
    const claims = { email: "ada@example.com", ...more }
    const dialect = { ...createSharedAuthorityFixture(authority, contoso), factory }
    const { app, signIn } = await prepareSignIn(dialect, {
      metadataIssuer: announced,
      claims,
      options,
    })
    await signIn()
    expect(app.readRows("User"), app.readLog()).toMatchObject([{ email }])
  })
})

describe("the picture of Microsoft Entra ID", () => {
  const photoUrl = (size: number) =>
    `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  const fixture = createSharedAuthorityFixture(contoso, contoso)

  test.each([401, 404, 503])("is none if Microsoft Graph responds with %s", async (status) => {
    const profile = { ...fixture.fullProfile, otherEndpoints: { [photoUrl(48)]: status } }
    const { alice, calledUrls, signIn } = await createProviderApp(fixture, profile)
    await signIn()
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada", image: null } })
    expect(calledUrls).toContain(photoUrl(48))
  })

  test("is not requested without an access token", async () => {
    const profile = { ...fixture.fullProfile, token: { access_token: null } }
    const { alice, calledUrls, signIn } = await createProviderApp(fixture, profile)
    await signIn()
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada", image: null } })
    expect(calledUrls).not.toContain(photoUrl(48))
  })

  test("has the requested size", async () => {
    const picture = new Uint8Array(200_000).fill(7)
    const profile = { ...fixture.fullProfile, otherEndpoints: { [photoUrl(648)]: picture } }
    const options = { profilePhotoSize: 648 }
    const { app, signIn } = await createProviderApp(fixture, profile, options)
    await signIn()
    const expected = `data:image/jpeg;base64,${Buffer.from(picture).toString("base64")}`
    expect(app.readRows("User")).toMatchObject([{ image: expected }])
  })

  test("is not requested with the tokens of another cloud", async () => {
    const { calledUrls, signIn } = await createProviderApp({
      ...fixture,
      issuer: "https://login.microsoftonline.us/t/v2.0",
      options: { issuer: "https://login.microsoftonline.us/t/v2.0" },
      endpoints: {
        ...fixture.endpoints,
        discovery: "https://login.microsoftonline.us/t/v2.0/.well-known/openid-configuration",
      },
    })
    await signIn()
    expect(calledUrls.filter((url) => url.includes("graph"))).toEqual([])
    expect(calledUrls).toContain(fixture.endpoints.jwks)
  })
})

describe("an issuer in the environment", () => {
  const env = {
    AUTH_MICROSOFT_ENTRA_ID_ISSUER: issuerOf(contoso),
    AUTH_GITLAB_ISSUER: "https://git.example",
  }

  test.each([
    ["called", () => [microsoftEntraID(), gitlab({ clientId: "us" })]],
    ["bare", () => [microsoftEntraID, gitlab]],
  ])("replaces the default issuer, provider %s", (_, providers) => {
    const config = { providers: providers() }
    setEnvDefaults(env, config)
    const issuers = config.providers.map((provider) => {
      const { issuer, options } = provider as ReturnType<typeof gitlab>
      return options?.issuer ?? issuer
    })
    expect(issuers).toEqual([issuerOf(contoso), "https://git.example"])
  })

  test("does not replace the issuer of the application", () => {
    const own = [{ issuer: "https://own.example" }, { baseUrl: "https://own.example/" }]
    const config = { providers: own.map(gitlab) }
    setEnvDefaults(env, config)
    for (const provider of config.providers) {
      expect(provider.options?.issuer).toBe("https://own.example")
      expect(provider.issuer).toBe("https://gitlab.com")
    }
  })
})
