import asgardeo from "@latchkey/core/providers/asgardeo"
import descope from "@latchkey/core/providers/descope"
import duendeIdentityServer6 from "@latchkey/core/providers/duende-identity-server6"
import frontegg from "@latchkey/core/providers/frontegg"
import fusionauth from "@latchkey/core/providers/fusionauth"
import kinde from "@latchkey/core/providers/kinde"
import logto from "@latchkey/core/providers/logto"
import onelogin from "@latchkey/core/providers/onelogin"
import pingID from "@latchkey/core/providers/ping-id"
import type { ProviderFixture } from "./provider-fixture.ts"
import { createTenantFixture, type Tenant } from "./tenant-fixtures.ts"

const platforms: readonly Tenant[] = [
  {
    id: "fusionauth",
    factory: fusionauth,
    issuer: "https://login.acme.example",
    base: "https://login.acme.example",
    paths: ["/oauth2/authorize", "/oauth2/token", "/.well-known/jwks.json"],
    nameClaim: "preferred_username",
    supportsPkce: true,
    scope: "offline_access email openid profile",
  },
  {
    id: "kinde",
    factory: kinde,
    issuer: "https://acme.kinde.com",
    base: "https://acme.kinde.com",
    paths: ["/oauth2/auth", "/oauth2/token", "/.well-known/jwks"],
    nameClaim: "name",
    supportsPkce: true,
  },
  {
    id: "logto",
    factory: logto,
    issuer: "https://acme.logto.app/oidc",
    base: "https://acme.logto.app/oidc",
    paths: ["/auth", "/token", "/jwks"],
    nameClaim: "username",
    supportsPkce: true,
    scope: "openid offline_access profile email",
  },
  {
    id: "ping-id",
    factory: pingID,
    issuer: "https://auth.pingone.com/abfba8f6-49eb-49f5-a5d9-80ad5c98f9f6/as",
    base: "https://auth.pingone.com/abfba8f6-49eb-49f5-a5d9-80ad5c98f9f6/as",
    paths: ["/authorize", "/token", "/jwks"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
  {
    id: "onelogin",
    factory: onelogin,
    issuer: "https://acme.onelogin.com/oidc/2",
    configuredIssuer: "https://acme.onelogin.com",
    base: "https://acme.onelogin.com/oidc/2",
    paths: ["/auth", "/token", "/certs"],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
  {
    id: "asgardeo",
    factory: asgardeo,
    issuer: "https://api.asgardeo.io/t/acme/oauth2/token",
    base: "https://api.asgardeo.io/t/acme/oauth2",
    paths: ["/authorize", "/token", "/jwks"],
    nameClaim: "given_name",
    supportsPkce: true,
  },
  {
    id: "descope",
    factory: descope,
    issuer: "https://api.descope.com/P2AbCdEf",
    base: "https://api.descope.com",
    paths: ["/oauth2/v1/authorize", "/oauth2/v1/token", "/P2AbCdEf/.well-known/jwks.json"],
    nameClaim: "name",
    supportsPkce: true,
  },
  {
    id: "frontegg",
    factory: frontegg,
    issuer: "https://acme.frontegg.com",
    discovery: "https://acme.frontegg.com/oauth/.well-known/openid-configuration",
    base: "https://acme.frontegg.com",
    paths: ["/oauth/authorize", "/oauth/token", "/.well-known/jwks.json"],
    nameClaim: "name",
    supportsPkce: true,
  },
  {
    id: "duende-identity-server6",
    factory: duendeIdentityServer6,
    issuer: "https://identity.acme.example",
    base: "https://identity.acme.example",
    paths: [
      "/connect/authorize",
      "/connect/token",
      "/.well-known/openid-configuration/jwks",
      "/connect/userinfo",
    ],
    nameClaim: "preferred_username",
    supportsPkce: true,
  },
]

/** Identity servers, hosted and one's own. They verify addresses alike, so that one profile of each kind is enough. */
export const identityPlatformFixtures: readonly ProviderFixture[] = platforms.map((platform) => {
  const {
    unverifiedProfiles = [],
    linkableProfiles = [],
    ...fixture
  } = createTenantFixture(platform)
  return {
    ...fixture,
    unverifiedProfiles: unverifiedProfiles.slice(0, 1),
    linkableProfiles: linkableProfiles.slice(0, 1),
  }
})
