import auth0 from "@latchkey/core/providers/auth0"
import authentik from "@latchkey/core/providers/authentik"
import cognito from "@latchkey/core/providers/cognito"
import keycloak from "@latchkey/core/providers/keycloak"
import okta from "@latchkey/core/providers/okta"
import zitadel from "@latchkey/core/providers/zitadel"
import { type ProviderFactory, type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const ada = {
  sub: "248289761001",
  name: "Ada Lovelace",
  email: sharedEmail,
  email_verified: true,
  picture: "https://img.example/ada.png",
}

/** A provider with an issuer for each customer. */
export interface Tenant {
  readonly id: string
  readonly factory: ProviderFactory
  readonly issuer: string
  /** The options of the application, if they differ. */
  readonly configuredIssuer?: string
  readonly base: string
  readonly paths: readonly [authorize: string, token: string, jwks: string, userinfo?: string]
  /** The claim that replaces a missing name. */
  readonly nameClaim: string
  readonly supportsPkce: boolean
  /** The URL of the metadata, if it is not below the issuer. */
  readonly discovery?: string
  /** @defaultValue "openid profile email" */
  readonly scope?: string
}

const tenants: readonly Tenant[] = [
  {
    id: "auth0",
    factory: auth0,
    issuer: "https://acme.eu.auth0.com/",
    configuredIssuer: "https://acme.eu.auth0.com",
    base: "https://acme.eu.auth0.com",
    paths: ["/authorize", "/oauth/token", "/.well-known/jwks.json"],
    nameClaim: "nickname",
    supportsPkce: true,
  },
  {
    id: "okta",
    factory: okta,
    issuer: "https://acme.okta.com",
    base: "https://acme.okta.com/oauth2/v1",
    paths: ["/authorize", "/token", "/keys", "/userinfo"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
  {
    id: "keycloak",
    factory: keycloak,
    issuer: "https://sso.example/realms/acme",
    base: "https://sso.example/realms/acme/protocol/openid-connect",
    paths: ["/auth", "/token", "/certs"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
  {
    id: "cognito",
    factory: cognito,
    issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example",
    base: "https://acme.auth.eu-west-1.amazoncognito.com",
    paths: ["/oauth2/authorize", "/oauth2/token", "/keys.json"],
    nameClaim: "cognito:username",
    supportsPkce: false,
  },
  {
    id: "zitadel",
    factory: zitadel,
    issuer: "https://acme-abc123.zitadel.cloud",
    base: "https://acme-abc123.zitadel.cloud",
    paths: ["/oauth/v2/authorize", "/oauth/v2/token", "/oauth/v2/keys", "/oidc/v1/userinfo"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
  {
    id: "authentik",
    factory: authentik,
    issuer: "https://sso.example/application/o/acme/",
    base: "https://sso.example/application/o",
    paths: ["/authorize/", "/token/", "/acme/jwks/"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
]

/** Providers with an issuer for each customer. */
export const tenantFixtures: readonly ProviderFixture[] = tenants.map(createTenantFixture)

/** Creates the fixture of a provider that returns the standard claims. */
export function createTenantFixture(tenant: Tenant): ProviderFixture {
  const { id, factory, issuer, base, paths, nameClaim, supportsPkce } = tenant
  const [authorize, token, jwks, userinfo] = paths
  const { email_verified: _, ...unsaid } = ada
  return {
    id,
    factory,
    issuer,
    options: { issuer: tenant.configuredIssuer ?? issuer },
    endpoints: {
      discovery:
        tenant.discovery ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      authorize: base + authorize,
      token: base + token,
      jwks: base + jwks,
      ...(userinfo === undefined ? {} : { userinfo: base + userinfo }),
    },
    supportsPkce,
    clientAuth: "client_secret_basic",
    protections: supportsPkce ? ["code_challenge"] : ["code_challenge", "nonce"],
    authorizationParams: { scope: tenant.scope ?? "openid profile email" },
    fullProfile: { claims: ada },
    expectedUser: { name: ada.name, email: sharedEmail, image: ada.picture },
    accountId: ada.sub,
    minimalProfile: { claims: { sub: "2", [nameClaim]: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [false, "false"].map((email_verified) => ({
      claims: { ...ada, email_verified },
    })),
    linkableProfiles: [
      { claims: ada },
      { claims: { ...ada, email_verified: "true" } },
      { claims: unsaid },
    ],
  }
}
